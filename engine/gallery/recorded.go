//go:build !js

package gallery

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
)

// files are the documents of the entries, list.json with their order, and the
// records.
//
//go:embed entries/*.json recorded.json
var files embed.FS

// ready reports whether the files are available.
func ready() bool { return true }

func file(name string) ([]byte, error) {
	if name == recordsName {
		return files.ReadFile("recorded.json")
	}
	return files.ReadFile("entries/" + name + ".json")
}

// Bundle returns all files as one JSON object, which the page fetches: see Fetched.
func Bundle() ([]byte, error) {
	all := map[string]json.RawMessage{}
	var ids []string
	list, err := file(listName)
	err = errors.Join(err, json.Unmarshal(list, &ids))
	for _, name := range append(ids, listName, recordsName) {
		text, wrong := file(name)
		var small bytes.Buffer
		err = errors.Join(err, wrong, json.Compact(&small, text))
		all[name] = small.Bytes()
	}
	if err != nil {
		return nil, err
	}
	return json.Marshal(all)
}
