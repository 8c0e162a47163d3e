package scenario

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"berth/engine/scenario/strict"
)

// migrations turn the tree of a document of one version into the next one's,
// in place. An entry for version v stays for ever, so that whatever was once
// saved can be opened.
var migrations = map[int]func(document map[string]any) error{}

// Decode reads a document strictly. Its error is an *[InputError] that says for
// every problem where it is: line and column, and the JSON path.
func Decode(data []byte) (Scenario, error) {
	return decode(data, migrations)
}

var expected = fmt.Sprintf(`an object such as {"version": %d, "kind": %q, …}`, Version, KindPlacement)

func decode(data []byte, migrations map[int]func(map[string]any) error) (Scenario, error) {
	var found problems
	root, err := strict.Read(data, expected, &found.Problems)
	if err != nil {
		return Scenario{}, err
	}
	var s Scenario
	if document, ok := root.(map[string]any); !ok {
		found.Add("", "found %s, expected an object", strict.Describe(root))
	} else if migrate(document, migrations, &found) {
		strict.Assign(document, &s, &found.Problems)
		if len(found.List) == 0 {
			s.validate(&found)
		}
	}
	strict.Locate(data, found.List)
	if err := found.Err(); err != nil {
		return Scenario{}, err
	}
	return s, nil
}

// migrate brings a document to the current version; it reports false if it
// cannot.
func migrate(document map[string]any, migrations map[int]func(map[string]any) error, found *problems) bool {
	given, ok := document["version"]
	if !ok {
		found.Add("version", "missing; this is version %d", Version)
		return false
	}
	number, _ := given.(json.Number)
	from, err := strconv.Atoi(string(number))
	switch {
	case err != nil:
		found.Add("version", "found %s, expected a whole number up to %d", strict.Describe(given), Version)
		return false
	case from > Version:
		found.Add("version", "version %d is newer than this Berth, which reads up to version %d; update it to open this document", from, Version)
		return false
	}
	for v := from; v < Version; v++ {
		step, ok := migrations[v]
		if !ok {
			found.Add("version", "there is no version %d; this is version %d", from, Version)
			return false
		}
		if err := step(document); err != nil {
			found.Add("version", "cannot bring the document from version %d to %d: %v", v, v+1, err)
			return false
		}
		document["version"] = json.Number(fmt.Sprint(v + 1))
	}
	return true
}

// Locate says where in the text of a document the problems stand that Prepare
// found in what Decode had read from it. Other errors it leaves as they are.
func Locate(document []byte, err error) {
	if input, ok := errors.AsType[*InputError](err); ok {
		strict.Locate(document, input.Diagnostics)
	}
}
