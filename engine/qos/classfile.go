package qos

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"berth/engine/sim"
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
// or an object with that array as "classes". Only name and slo are required.
func ParseClasses(data []byte, margin sim.Time) ([]Class, error) {
	var table struct {
		Classes []classRow `json:"classes"`
	}
	var into any = &table
	if trimmed := bytes.TrimLeft(data, " \t\r\n"); len(trimmed) > 0 && trimmed[0] == '[' {
		into = &table.Classes
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return nil, fmt.Errorf("line %d: %w; expected [{\"name\":\"gold\",\"slo\":1}, …]", line(data, decoder, err), err)
	}
	var classes []Class
	for i, row := range table.Classes {
		c, err := row.class(i+1, margin)
		if err != nil {
			return nil, fmt.Errorf("class %d, %q: %w", i+1, row.Name, err)
		}
		classes = append(classes, c)
	}
	return classes, checkClasses(classes)
}

// line returns where decoding stopped.
func line(data []byte, d *json.Decoder, err error) int {
	offset := d.InputOffset()
	var syntax *json.SyntaxError
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		offset = syntax.Offset
	case errors.As(err, &wrong):
		offset = wrong.Offset
	}
	return 1 + bytes.Count(data[:min(offset, int64(len(data)))], []byte("\n"))
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
		c.Priorities = [2]int(row.Priorities)
	default:
		return c, errors.New("priorities must be the lowest and the highest, [9, 11]")
	}
	c.Bonus = ProportionalBonus(c.SLO)
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
