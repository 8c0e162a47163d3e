package main

import (
	"path/filepath"
	"slices"
	"strings"

	"berth/engine/policy"
)

// isPolicyFile says whether what a flag names is the file of a policy, and not the name of
// one that is built in.
func isPolicyFile(name string) bool { return strings.HasSuffix(name, ".star") }

// policy reads a policy that is written in Starlark. The file gives it its name, with .star
// where one that is built in has the name without it.
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
