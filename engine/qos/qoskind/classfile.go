package qoskind

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"berth/engine/diag"
	"berth/engine/scenario/body"
)

// classRow is a [Class] in a file, where the margin may be a duration.
type classRow struct {
	Name       string          `json:"name"`
	SLO        *float64        `json:"slo"`
	Importance int             `json:"importance"`
	Margin     json.RawMessage `json:"margin"`
	Limit      *float64        `json:"limit"`
	Priorities []int           `json:"priorities"`
	Bonus      []Bonus         `json:"bonus"`
}

// ParseClasses reads a table of classes: a JSON array of objects such as
//
//	{"name":"gold","slo":1,"importance":1,"margin":"30s","limit":0,
//	 "priorities":[9,11],"bonus":[{"below":0.95,"credit":1}]}
//
// or an object with that array as "classes". Only name and slo are required. Its
// error is a [*diag.Diagnostic].
func ParseClasses(name string, data []byte) ([]Class, error) {
	f := classFile{name: name, data: bytes.TrimPrefix(data, []byte("\ufeff"))}
	if err := json.Unmarshal(f.data, new(json.RawMessage)); err != nil {
		f.at = diag.JSONOffset(f.data, err)
		return nil, f.errorf("%v; expected %s", err, classTable)
	}
	if err := f.read(); err != nil {
		return nil, f.errorf("%v", err)
	}
	return f.classes, nil
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

// classTable is what is expected of a file with classes.
const classTable = `[{"name":"gold","slo":1}, …]`

// classFile is a file while it is being read.
type classFile struct {
	name    string
	data    []byte
	at      int // where the row begins that is looked at
	classes []Class
}

func (f *classFile) errorf(format string, args ...any) error {
	return diag.ErrorAt(f.name, f.data, f.at, format, args...)
}

// read reads the rows of text that is valid JSON.
func (f *classFile) read() error {
	d := json.NewDecoder(bytes.NewReader(f.data))
	d.DisallowUnknownFields()
	first, _ := d.Token()
	object := first == json.Delim('{')
	if object && d.More() {
		if key, _ := d.Token(); key != "classes" {
			return fmt.Errorf("unknown field %q; expected \"classes\":%s", key, classTable)
		}
		first, _ = d.Token()
	}
	if first != json.Delim('[') {
		return fmt.Errorf("there is no list of classes; expected %s", classTable)
	}
	for d.More() {
		f.at = len(f.data) - len(bytes.TrimLeft(f.data[d.InputOffset():], ", \t\r\n"))
		if err := f.row(d); err != nil {
			return err
		}
	}
	switch {
	case len(f.classes) == 0:
		return errors.New("there are no service classes")
	case !object:
		return nil
	}
	d.Token() // the end of the list
	f.at = int(d.InputOffset())
	if key, _ := d.Token(); key != json.Delim('}') {
		return fmt.Errorf("unknown field %.40q; expected \"classes\" alone", key)
	}
	return nil
}

// row reads the next row.
func (f *classFile) row(d *json.Decoder) error {
	var row classRow
	err := d.Decode(&row)
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return fmt.Errorf("class %d: %s is a %s; expected %s", len(f.classes)+1, cmp.Or(wrong.Field, "it"), wrong.Value, classTable)
	}
	if err != nil {
		return fmt.Errorf("class %d: %v; expected %s", len(f.classes)+1, err, classTable)
	}
	c, err := row.class()
	if err != nil {
		return fmt.Errorf("class %d, %.40q: %w", len(f.classes)+1, row.Name, err)
	}
	f.classes = append(f.classes, c)
	var found body.Problems
	validateClasses("classes", f.classes, &found)
	return found.Err()
}

func (row *classRow) class() (Class, error) {
	if row.SLO == nil {
		return Class{}, errors.New("slo is missing")
	}
	c := Class{
		Name: row.Name, SLO: *row.SLO, Importance: row.Importance, Limit: row.Limit, Priorities: row.Priorities, Bonus: row.Bonus,
	}
	if len(row.Margin) == 0 || string(row.Margin) == "null" {
		return c, nil
	}
	margin, err := parseMargin(row.Margin)
	c.Margin = &margin
	return c, err
}

// parseMargin reads "30s" or a number of seconds.
func parseMargin(raw json.RawMessage) (float64, error) {
	var seconds float64
	if json.Unmarshal(raw, &seconds) == nil {
		return seconds, nil
	}
	var text string
	if json.Unmarshal(raw, &text) == nil {
		if d, err := time.ParseDuration(text); err == nil {
			return float64(d.Milliseconds()) / 1000, nil
		}
	}
	return 0, fmt.Errorf("margin: %.40s is neither a number of seconds nor a duration such as \"30s\"", raw)
}
