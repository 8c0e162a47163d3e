package study

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"berth/engine/scenario"
)

// Trees share their parts, so functions never change a tree in place.

// parsePointer returns the tokens of a JSON Pointer.
func parsePointer(pointer string) ([]string, error) {
	rest, ok := strings.CutPrefix(pointer, "/")
	if !ok {
		return nil, fmt.Errorf("found %q, expected a JSON Pointer such as /qos/hosts/recipe/parameters/count", scenario.Shorten(pointer))
	}
	tokens := strings.Split(rest, "/")
	for i, t := range tokens {
		if plain := strings.NewReplacer("~0", "", "~1", "").Replace(t); strings.Contains(plain, "~") {
			return nil, fmt.Errorf("found %q: in a JSON Pointer ~ is written ~0, and / within a name ~1", scenario.Shorten(t))
		}
		tokens[i] = strings.ReplaceAll(strings.ReplaceAll(t, "~1", "/"), "~0", "~")
	}
	return tokens, nil
}

// set returns a copy of a tree with another value at the tokens; nil removes a field. It
// adds missing objects on the way.
func set(tree any, tokens []string, value any) (any, error) {
	if len(tokens) == 0 {
		return value, nil
	}
	switch from := tree.(type) {
	case nil:
		below, err := set(nil, tokens[1:], value)
		return map[string]any{tokens[0]: below}, err
	case map[string]any:
		below, err := set(from[tokens[0]], tokens[1:], value)
		to := maps.Clone(from)
		to[tokens[0]] = below
		if below == nil {
			delete(to, tokens[0])
		}
		return to, err
	case []any:
		i, err := strconv.Atoi(tokens[0])
		if err != nil || i < 0 || i >= len(from) || tokens[0] != strconv.Itoa(i) {
			return nil, fmt.Errorf("there is no item %q in an array of %d, expected one from 0", scenario.Shorten(tokens[0]), len(from))
		}
		to := slices.Clone(from)
		to[i], err = set(from[i], tokens[1:], value)
		return to, err
	}
	return nil, fmt.Errorf("there is no %q in %s", scenario.Shorten(tokens[0]), scenario.Describe(tree))
}

// Merge applies a JSON Merge Patch (RFC 7396) to a tree.
func Merge(tree, patch any) any {
	fields, ok := patch.(map[string]any)
	if !ok {
		return patch
	}
	to := map[string]any{}
	if from, ok := tree.(map[string]any); ok {
		maps.Copy(to, from)
	}
	for name, v := range fields {
		if v == nil {
			delete(to, name)
		} else {
			to[name] = Merge(to[name], v)
		}
	}
	return to
}

// Patch returns the JSON Merge Patch (RFC 7396) that turns one object into another.
func Patch(from, to map[string]any) map[string]any {
	patch := map[string]any{}
	for name := range from {
		patch[name] = nil
	}
	for name, v := range to {
		before, first := from[name].(map[string]any)
		after, second := v.(map[string]any)
		switch {
		case reflect.DeepEqual(from[name], v):
			delete(patch, name)
		case first && second:
			patch[name] = Patch(before, after)
		default:
			patch[name] = v
		}
	}
	return patch
}
