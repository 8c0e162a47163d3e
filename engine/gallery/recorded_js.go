package gallery

import (
	"encoding/json"
	"fmt"
)

// files are the documents of the entries, their list and the records, which are no part of the
// page's program.
var files map[string]json.RawMessage

// Fetched gives this program the file of Bundle. Until then there are no entries.
func Fetched(bundle []byte) error { return json.Unmarshal(bundle, &files) }

// ready reports whether the files are there.
func ready() bool { return files != nil }

func file(name string) ([]byte, error) {
	if text, ok := files[name]; ok {
		return text, nil
	}
	return nil, fmt.Errorf("there is no document %s", name)
}
