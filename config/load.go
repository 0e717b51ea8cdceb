package config

import (
	"bytes"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/viper"

	"gavel/config/input"
)

// Load returns defaults, overlaid with the YAML file where one is named ("" for
// none), overlaid with the GAVEL_* variables; a variable that is empty counts as
// not set. Everything that is set is checked, and what is not known is refused.
// Credentials may be missing: see RequirePayPal. Paths of files are relative to
// the working directory. Errors: *input.Error.
func Load(file string) (Config, error) {
	raw := viper.New()
	raw.SetConfigType("yaml")
	if file != "" {
		text, err := readYAML(file)
		if err != nil {
			return Config{}, err
		}
		if err := raw.ReadConfig(bytes.NewReader(text)); err != nil {
			return Config{}, &input.Error{Source: file, Rule: err.Error()}
		}
	}
	if err := checkVariables(os.Environ()); err != nil {
		return Config{}, err
	}
	for _, k := range keys {
		if err := raw.BindEnv(k.name, k.env()); err != nil {
			return Config{}, fmt.Errorf("binding %s: %w", k.env(), err)
		}
	}
	return assemble(raw, file)
}

// assemble parses each key by its own rule and fills the struct from the results.
func assemble(raw *viper.Viper, file string) (Config, error) {
	parsed, sources := viper.New(), map[string]string{}
	for _, k := range keys {
		parsed.Set(k.name, k.preset)
		written := raw.Get(k.name)
		if written == nil {
			continue
		}
		sources[k.name] = file
		if os.Getenv(k.env()) != "" {
			sources[k.name] = k.env()
		}
		value, err := k.parse(written)
		if err != nil {
			return Config{}, &input.Error{Source: sources[k.name], Path: k.name, Rule: err.Error()}
		}
		parsed.Set(k.name, value)
	}
	if err := readFileKeys(parsed, sources); err != nil {
		return Config{}, err
	}
	config := Config{sources: sources}
	// Without viper's hook, which would convert by guessing: all is parsed by now.
	if err := parsed.UnmarshalExact(&config, viper.DecodeHook(nil)); err != nil {
		return Config{}, fmt.Errorf("the list of keys and Config differ: %w", err)
	}
	return config, config.checkTogether()
}

// checkVariables refuses GAVEL_* variables that no key has: most are misspelt.
func checkVariables(environ []string) error {
	known := map[string]bool{}
	for _, k := range keys {
		known[k.env()] = true
	}
	for _, pair := range environ {
		name, _, _ := strings.Cut(pair, "=")
		if strings.HasPrefix(name, envPrefix) && !known[name] {
			return &input.Error{Source: name, Rule: "no configuration key has this variable; config/gavel.yaml lists the keys (a.b_c is GAVEL_A_B_C)"}
		}
	}
	return nil
}
