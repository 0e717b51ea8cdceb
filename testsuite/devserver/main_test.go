package devserver

import (
	"context"
	"errors"
	"fmt"
	"os"
	"testing"

	enumspb "go.temporal.io/api/enums/v1"
)

// envHelper makes this test binary stand in for another program: "find" looks for
// a CLI without a network, "orphan" starts a server and waits to be killed.
const envHelper = "GAVEL_DEVSERVER_TEST_HELPER"

var attributes = map[string]enumspb.IndexedValueType{
	"TestState": enumspb.INDEXED_VALUE_TYPE_KEYWORD,
	"TestSince": enumspb.INDEXED_VALUE_TYPE_DATETIME,
}

func TestMain(m *testing.M) {
	switch os.Getenv(envHelper) {
	case "find":
		os.Exit(helpFind())
	case "orphan":
		os.Exit(helpOrphan())
	}
	os.Exit(Main(m, Options{SearchAttributes: attributes, UI: true}))
}

func helpFind() int {
	cache, err := cacheDir()
	if err != nil {
		return complain(err)
	}
	path, err := offline(cache, func(line string) { fmt.Println("say " + line) }).find(context.Background())
	if err != nil {
		return complain(err)
	}
	fmt.Println("found " + path)
	return 0
}

func helpOrphan() int {
	server, err := Start(context.Background(), Options{})
	if err != nil {
		return complain(err)
	}
	fmt.Println(server.process.cmd.Process.Pid)
	select {}
}

func complain(err error) int {
	fmt.Fprintln(os.Stderr, err)
	return 1
}

// offline is a finder that cannot reach the downloads.
func offline(cache string, say func(string)) *finder {
	f := newFinder(cache, say)
	f.reach = func(context.Context) error { return errors.New("no network") }
	return f
}
