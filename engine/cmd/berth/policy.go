package main

import (
	"path/filepath"
	"slices"
	"strings"

	"berth/engine/policy"
)

// isPolicyFile reports whether the value of a flag is a policy file rather than the name of a
// built-in policy.
func isPolicyFile(name string) bool { return strings.HasSuffix(name, ".star") }

// policy reads a policy written in Starlark. Its name is the file name without .star, or with it if
// a built-in policy has that name.
func (c *call) policy(file string, builtIn []string) (policy.Text, error) {
	name, data, err := c.read(file)
	if err != nil {
		return policy.Text{}, err
	}
	t := policy.Text{Name: strings.TrimSuffix(filepath.Base(name), ".star"), Text: string(data)}
	if file == "-" {
		t.Name = "policy"
	}
	if slices.Contains(builtIn, t.Name) {
		t.Name += ".star"
	}
	if err := t.Check(); err != nil {
		return t, badInputf("%s: %v", name, err)
	}
	return t, nil
}
