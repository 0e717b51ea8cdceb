package config_test

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"

	"gavel/config"
)

func TestEveryFieldHasAKey(t *testing.T) {
	var fields []string
	whole := reflect.TypeFor[config.Config]()
	for i := range whole.NumField() {
		group := whole.Field(i)
		if !group.IsExported() {
			continue
		}
		for j := range group.Type.NumField() {
			fields = append(fields, group.Tag.Get("mapstructure")+"."+group.Type.Field(j).Tag.Get("mapstructure"))
		}
	}
	assert.ElementsMatch(t, config.KeyNames(), fields)
}

func TestTheVariableOfAKey(t *testing.T) {
	assert.Equal(t, "GAVEL_CLOCKS_PASS_MIN", config.EnvName("clocks.pass_min"))
	assert.Equal(t, "GAVEL_CODEC_KEY_FILE", config.EnvName("codec.key_file"))
}
