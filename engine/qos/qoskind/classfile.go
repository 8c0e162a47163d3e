package qoskind

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"berth/engine/scenario"
)

// classTable is an example of a class file, for error messages.
const classTable = `[{"name":"gold","slo":1}, …]`

// ParseClasses reads a table of classes: a JSON array of objects such as
//
//	{"name":"gold","slo":1,"importance":1,"margin":"30s","limit":0,
//	 "priorities":[9,11],"bonus":[{"below":0.95,"credit":1}]}
//
// or an object with that array under the key classes. Only name and slo are required. The error is
// a [*scenario.InputError] that contains the name of the file.
func ParseClasses(name string, data []byte) ([]Class, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	var classes []Class
	err := scenario.DecodeTree(data, classTable, func(root any, found *scenario.Problems) { classes = readClasses(root, found) })
	if input, ok := errors.AsType[*scenario.InputError](err); ok {
		for i := range input.Diagnostics {
			input.Diagnostics[i].File = name
		}
		return nil, input
	}
	return classes, nil
}

func readClasses(root any, found *scenario.Problems) []Class {
	var classes []Class
	path := scenario.AssignList("classes", root, &classes, found, func(at string, row map[string]any) {
		if _, given := row["slo"]; !given {
			found.Wrong(at, errors.New("slo is missing"))
		}
		readMargin(at+".margin", row, found)
	})
	found.AtMost(path, "entries", len(classes), MaxClasses)
	switch {
	case len(found.List) > 0:
		return nil
	case len(classes) == 0:
		found.Add(path, noClasses, classTable)
	default:
		validateClasses(path, classes, found)
	}
	return classes
}

// EncodeRows encodes a table in the form that [ParseClasses] and [ReadControllers] read.
func EncodeRows[R Class | Controller](rows []R) ([]byte, error) {
	data, err := json.MarshalIndent(rows, "", "  ")
	return append(data, '\n'), err
}

// IsClasses guesses from the beginning of a text whether it is a table of classes.
func IsClasses(text string) bool {
	text = strings.TrimLeft(strings.TrimPrefix(text, "\ufeff"), " \t\r\n")
	inside, object := strings.CutPrefix(text, "{")
	return strings.HasPrefix(text, "[") || object && strings.HasPrefix(strings.TrimLeft(inside, " \t\r\n"), `"classes"`)
}

// readMargin converts a margin such as "30s" to seconds, and removes a null.
func readMargin(at string, row map[string]any, found *scenario.Problems) {
	margin, given := row["margin"]
	text, _ := margin.(string)
	d, err := time.ParseDuration(text)
	_, seconds := margin.(json.Number)
	switch {
	case !given || seconds:
		return
	case text != "" && err == nil:
		row["margin"] = json.Number(fmt.Sprint(float64(d.Milliseconds()) / 1000))
		return
	case margin != nil:
		found.Wrong(at, fmt.Errorf("found %s, expected a number of seconds or a duration such as \"30s\"", scenario.Describe(margin)))
	}
	delete(row, "margin")
}
