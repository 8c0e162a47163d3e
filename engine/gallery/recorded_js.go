package gallery

import (
	"encoding/json"
	"fmt"
)

// files contains the documents of the entries, the files about all entries, and the records. It is
// nil until the page has fetched them, because they are not part of its program.
var files map[string]json.RawMessage

// Fetched sets the files from the result of Bundle. Before that call there are no
// entries.
func Fetched(bundle []byte) error { return json.Unmarshal(bundle, &files) }

// ready reports whether Fetched has been called, so that the files are available.
func ready() bool { return files != nil }

func file(name string) ([]byte, error) {
	if text, ok := files[name]; ok {
		return text, nil
	}
	return nil, fmt.Errorf("there is no document %s", name)
}
