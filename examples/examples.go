package examples

import (
	"bytes"
	"embed"
	"encoding/json"

	_ "berth/engine/kinds" // registers the kinds of the examples
	"berth/engine/scenario"
)

// files contains the documents of all examples, and their list.
//
//go:embed *.json list.jsonl
var files embed.FS

// Example is a scenario with a description, which the page shows before opening it.
type Example struct {
	Name        string // short and stable, for links; the file is Name.json
	Title       string
	Description string // one line
	Scenario    scenario.Scenario
	Before      *scenario.Scenario // if not nil, the page first runs and pins Before, and compares the result of Scenario with it
}

// List returns all examples, the introductory one first. It panics if a file is missing or invalid.
func List() []Example {
	var all []Example
	at := map[string]*scenario.Scenario{"": nil}
	for line := range bytes.Lines(read("list.jsonl")) {
		var row struct{ Name, Description, Before string }
		must(json.Unmarshal(line, &row))
		s, err := scenario.Decode(read(row.Name + ".json"))
		must(err)
		at[row.Name] = &s
		all = append(all, Example{row.Name, s.Name, row.Description, s, at[row.Before]})
	}
	return all
}

func read(name string) []byte {
	text, err := files.ReadFile(name)
	must(err)
	return text
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
