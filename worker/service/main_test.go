package service

import (
	"os"
	"testing"

	"gavel/testsuite/devserver"
	"gavel/workflows"
)

func TestMain(m *testing.M) {
	os.Exit(devserver.Main(m, devserver.Options{SearchAttributes: workflows.SearchAttributeTypes()}))
}
