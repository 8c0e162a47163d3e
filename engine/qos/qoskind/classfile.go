package qoskind

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"berth/engine/qos"
	"berth/engine/scenario"
)

// classRow is a [Class] in a file, where the margin may be a duration.
type classRow struct {
	Name       string      `json:"name"`
	SLO        *float64    `json:"slo"`
	Importance int         `json:"importance"`
	Margin     any         `json:"margin"`
	Limit      *float64    `json:"limit"`
	Priorities []int       `json:"priorities"`
	Bonus      []qos.Bonus `json:"bonus"`
}

// classTable is an example of a file with classes.
const classTable = `[{"name":"gold","slo":1}, …]`

// ParseClasses reads a table of classes: a JSON array of objects such as
//
//	{"name":"gold","slo":1,"importance":1,"margin":"30s","limit":0,
//	 "priorities":[9,11],"bonus":[{"below":0.95,"credit":1}]}
//
// or an object with that array as "classes". Only name and slo are required. Its
// error is a [*scenario.InputError] that calls the file by its name.
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
	var table struct {
		Classes []classRow `json:"classes"`
	}
	path := ""
	if _, bare := root.([]any); bare {
		scenario.AssignAt("", root, &table.Classes, found)
	} else {
		scenario.AssignAt("", root, &table, found)
		path = "classes"
	}
	found.AtMost(path, "entries", len(table.Classes), MaxClasses)
	if len(found.List) > 0 {
		return nil
	}
	var classes []Class
	for i := range table.Classes {
		c, field, err := table.Classes[i].class()
		if err != nil {
			found.Wrong(fmt.Sprintf("%s[%d]%s", path, i, field), err)
		}
		classes = append(classes, c)
	}
	switch {
	case len(found.List) > 0:
	case len(classes) == 0:
		found.Add(path, noClasses, classTable)
	default:
		validateClasses(path, classes, found)
	}
	return classes
}

// EncodeClasses writes a table of classes as [ParseClasses] reads it.
func EncodeClasses(classes []Class) ([]byte, error) {
	data, err := json.MarshalIndent(classes, "", "  ")
	return append(data, '\n'), err
}

// IsClasses guesses whether a text is a table of classes by how it begins.
func IsClasses(text string) bool {
	text = strings.TrimLeft(strings.TrimPrefix(text, "\ufeff"), " \t\r\n")
	inside, object := strings.CutPrefix(text, "{")
	return strings.HasPrefix(text, "[") || object && strings.HasPrefix(strings.TrimLeft(inside, " \t\r\n"), `"classes"`)
}

// class returns the row as the document has it, or which field is wrong.
func (row *classRow) class() (c Class, field string, err error) {
	if row.SLO == nil {
		return c, "", errors.New("slo is missing")
	}
	c = Class{
		Name: row.Name, SLO: *row.SLO, Importance: row.Importance, Limit: row.Limit, Priorities: row.Priorities, Bonus: row.Bonus,
	}
	c.Margin, err = parseMargin(row.Margin)
	return c, ".margin", err
}

// parseMargin reads "30s" or a number of seconds.
func parseMargin(value any) (*float64, error) {
	switch v := value.(type) {
	case nil:
		return nil, nil
	case json.Number:
		if seconds, err := v.Float64(); err == nil {
			return &seconds, nil
		}
	case string:
		if d, err := time.ParseDuration(v); err == nil {
			seconds := float64(d.Milliseconds()) / 1000
			return &seconds, nil
		}
	}
	return nil, fmt.Errorf("found %s, expected a number of seconds or a duration such as \"30s\"", scenario.Describe(value))
}
