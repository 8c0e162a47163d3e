package examples

import (
	"bytes"
	"embed"
	"encoding/json"

	_ "berth/engine/kinds" // that the examples are of
	"berth/engine/scenario"
)

// files are the documents of all examples, and their list.
//
//go:embed *.json list.jsonl
var files embed.FS

// Example is a scenario with its description, which is shown before it is opened.
type Example struct {
	Name        string // short and stable, for links; the file is Name.json
	Title       string
	Description string // one line
	Scenario    scenario.Scenario
	Before      *scenario.Scenario // of a pair: its result is pinned, and that of Scenario compared with it
}

// List returns all examples, the one to begin with first. It panics if a file is missing or
// wrong.
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
