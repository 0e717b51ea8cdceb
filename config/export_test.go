package config

// KeyNames lists every key.
func KeyNames() []string {
	var names []string
	for _, k := range keys {
		names = append(names, k.name)
	}
	return names
}
