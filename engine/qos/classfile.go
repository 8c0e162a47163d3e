package qos

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"time"
	"unicode/utf8"

	"berth/engine/sim"
	"berth/engine/workload"
)

// classRow is a class in a file. What is left out has a default: the place in
// the file is the importance, 1 − SLO the limit, the margin that of the run.
type classRow struct {
	Name       string          `json:"name"`
	SLO        *float64        `json:"slo"`
	Importance int             `json:"importance"`
	Margin     json.RawMessage `json:"margin"`
	Limit      *float64        `json:"limit"`
	Priorities []int           `json:"priorities"`
	Bonus      []struct {
		Below  float64 `json:"below"`
		Credit float64 `json:"credit"`
	} `json:"bonus"`
}

// ParseClasses reads a table of classes: a JSON array of objects such as
//
//	{"name":"gold","slo":1,"importance":1,"margin":"30s","limit":0,
//	 "priorities":[9,11],"bonus":[{"below":0.95,"credit":1}]}
//
// or an object with that array as "classes". Only name and slo are required. Its
// error is a [*workload.SyntaxError].
func ParseClasses(name string, data []byte, margin sim.Time) ([]Class, error) {
	f := classFile{name: name, data: bytes.TrimPrefix(data, []byte("\ufeff"))}
	if err := json.Unmarshal(f.data, new(json.RawMessage)); err != nil {
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			f.at = syntax.Offset - 1
		}
		return nil, f.errorf("%v; expected %s", err, classTable)
	}
	if err := f.read(margin); err != nil {
		return nil, f.errorf("%v", err)
	}
	return f.classes, nil
}

// classTable is what is expected of a file with classes.
const classTable = `[{"name":"gold","slo":1}, …]`

// classFile is a file while it is being read.
type classFile struct {
	name    string
	data    []byte
	at      int64 // where the row begins that is looked at
	classes []Class
}

func (f *classFile) errorf(format string, args ...any) error {
	before := f.data[:max(0, min(f.at, int64(len(f.data))))]
	return &workload.SyntaxError{
		File: f.name, Line: 1 + bytes.Count(before, []byte("\n")),
		Column:  1 + utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:]),
		Message: fmt.Sprintf(format, args...),
	}
}

// read reads the rows of text that is valid JSON.
func (f *classFile) read(margin sim.Time) error {
	d := json.NewDecoder(bytes.NewReader(f.data))
	d.DisallowUnknownFields()
	first, _ := d.Token()
	if first == json.Delim('{') && d.More() {
		if key, _ := d.Token(); key != "classes" {
			return fmt.Errorf("unknown field %q; expected \"classes\":%s", key, classTable)
		}
		first, _ = d.Token()
	}
	if first != json.Delim('[') {
		return fmt.Errorf("there is no list of classes; expected %s", classTable)
	}
	for d.More() {
		f.at = d.InputOffset() + int64(len(f.data[d.InputOffset():])-len(bytes.TrimLeft(f.data[d.InputOffset():], ", \t\r\n")))
		if err := f.row(d, margin); err != nil {
			return err
		}
	}
	return checkClasses(f.classes)
}

// row reads the next row.
func (f *classFile) row(d *json.Decoder, margin sim.Time) error {
	var row classRow
	err := d.Decode(&row)
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return fmt.Errorf("class %d: %s is a %s; expected %s", len(f.classes)+1, cmp.Or(wrong.Field, "it"), wrong.Value, classTable)
	}
	if err != nil {
		return fmt.Errorf("class %d: %v; expected %s", len(f.classes)+1, err, classTable)
	}
	c, err := row.class(len(f.classes)+1, margin)
	if err != nil {
		return fmt.Errorf("class %d, %q: %w", len(f.classes)+1, row.Name, err)
	}
	f.classes = append(f.classes, c)
	return checkClasses(f.classes)
}

func (row *classRow) class(place int, margin sim.Time) (Class, error) {
	if row.SLO == nil {
		return Class{}, errors.New("slo is missing")
	}
	c := Class{Name: row.Name, SLO: *row.SLO, Importance: row.Importance, Margin: margin, Priorities: noPriorities}
	if c.Importance == 0 {
		c.Importance = place
	}
	if c.Limit = max(0, 1-c.SLO); row.Limit != nil {
		c.Limit = *row.Limit
	}
	if len(row.Margin) > 0 {
		var err error
		if c.Margin, err = parseMargin(row.Margin); err != nil {
			return c, err
		}
	}
	switch len(row.Priorities) {
	case 0:
	case 2:
		if c.Priorities = [2]int(row.Priorities); c.Priorities[0] > c.Priorities[1] {
			return c, fmt.Errorf("priorities: %v has the highest first; expected the lowest and the highest, [9, 11]", row.Priorities)
		}
	default:
		return c, errors.New("priorities must be the lowest and the highest, [9, 11]")
	}
	c.Bonus = DefaultBonus(c.SLO)
	if row.Bonus != nil {
		c.Bonus = nil
		for _, b := range row.Bonus {
			c.Bonus = append(c.Bonus, Bonus{b.Below, b.Credit})
		}
	}
	return c, nil
}

// parseMargin reads "30s" or a number of seconds.
func parseMargin(raw json.RawMessage) (sim.Time, error) {
	var seconds float64
	if json.Unmarshal(raw, &seconds) == nil && seconds >= 0 && seconds <= 1e9 {
		return sim.Time(seconds * 1000), nil
	}
	var text string
	if json.Unmarshal(raw, &text) == nil {
		if d, err := time.ParseDuration(text); err == nil && d >= 0 {
			return d.Milliseconds(), nil
		}
	}
	return 0, fmt.Errorf("margin: %s is neither a number of seconds nor a duration such as \"30s\"", raw)
}
