package config_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gavel/config"
)

var codecKey = strings.Repeat("A", 43) + "="

func TestAValueCanStandInAFileOfItsOwn(t *testing.T) {
	for name, tc := range map[string]struct {
		key, content string
		get          func(config.Config) config.Secret
	}{
		"client secret": {"paypal.client_secret_file", "hush", func(c config.Config) config.Secret { return c.PayPal.ClientSecret }},
		"database url":  {"sweep.database_url_file", "postgres://u:p@h/d", func(c config.Config) config.Secret { return c.Sweep.DatabaseURL }},
		"codec key":     {"codec.key_file", codecKey, func(c config.Config) config.Secret { return c.Codec.Key }},
	} {
		for ending, tail := range map[string]string{"": "", "newline": "\n", "carriage return": "\r\n"} {
			t.Run(name+" "+ending, func(t *testing.T) {
				clean(t)
				t.Setenv(config.EnvName(tc.key), file(t, "secret", tc.content+tail))
				got, err := config.Load("")
				require.NoError(t, err)
				assert.Equal(t, tc.content, tc.get(got).Reveal())
			})
		}
	}
}

func TestAFileOfAValueThatCannotServe(t *testing.T) {
	for name, tc := range map[string]struct{ path, rule string }{
		"missing":     {filepath.Join(t.TempDir(), "absent"), "no such file"},
		"empty":       {file(t, "empty", ""), "is empty"},
		"blank":       {file(t, "blank", "\n\n"), "is empty"},
		"two lines":   {file(t, "two", "hush\nhush"), "one line"},
		"a directory": {t.TempDir(), "is a directory"},
		"too large":   {file(t, "large", strings.Repeat("x", 1<<17)), "larger than 65536 bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			clean(t)
			t.Setenv("GAVEL_PAYPAL_CLIENT_SECRET_FILE", tc.path)
			_, err := config.Load("")
			found := mistake(t, err)
			assert.Equal(t, "GAVEL_PAYPAL_CLIENT_SECRET_FILE", found.Source)
			assert.Equal(t, "paypal.client_secret_file", found.Path)
			assert.Contains(t, found.Rule, tc.rule)
			assert.Contains(t, found.Rule, tc.path)
			assert.NotContains(t, err.Error(), "hush")
		})
	}
}

func TestAFilesContentObeysTheKeysRule(t *testing.T) {
	clean(t)
	t.Setenv("GAVEL_CODEC_KEY_FILE", file(t, "key", "c2hvcnQ="))
	_, err := config.Load("")
	assert.Contains(t, mistake(t, err).Rule, "32 bytes")
}

func TestAValueAndItsFileTogetherAreRefused(t *testing.T) {
	clean(t)
	path := file(t, "gavel.yaml", "paypal: {client_secret: hush}")
	t.Setenv("GAVEL_PAYPAL_CLIENT_SECRET_FILE", file(t, "secret", "hush"))
	_, err := config.Load(path)
	found := mistake(t, err)
	assert.Equal(t, "paypal.client_secret_file", found.Path)
	assert.Contains(t, found.Rule, "paypal.client_secret ("+path+")")
	assert.NotContains(t, err.Error(), "hush")
}
