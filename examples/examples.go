package examples

import (
	"bytes"
	"embed"
	"encoding/json"
	"io/fs"
	"path"
	"strings"

	_ "berth/engine/kinds" // registers the kinds of the examples
	"berth/engine/scenario"
)

// files contains the documents of all examples, their list, earlier versions that links refer
// to, and the words that shorten links.
//
//go:embed *.json list.jsonl words.txt earlier
var files embed.FS

// Example is a scenario with a description. The page shows the description before it opens the
// scenario.
type Example struct {
	Name        string // short and stable, for links; the file is Name.json
	Title       string
	Description string // one line
	Scenario    scenario.Scenario
	Before      *scenario.Scenario // if not nil, the page first runs Before and pins its result, then compares the result of Scenario with it
}

func init() { scenario.Publish(Published) }

// Published returns the texts of all examples, the earlier versions last. An earlier version
// is the file earlier/NAME.DIGEST.json.
func Published() (all []scenario.Published) {
	for _, pattern := range []string{"*.json", "earlier/*.json"} {
		paths, err := fs.Glob(files, pattern)
		must(err)
		for _, file := range paths {
			name, _, _ := strings.Cut(path.Base(file), ".")
			all = append(all, scenario.Published{Name: name, Text: read(file), Words: read("words.txt"), Earlier: path.Dir(file) == "earlier"})
		}
	}
	return all
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
