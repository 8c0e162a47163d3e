//go:build !js

package gallery

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"io/fs"
	"path"
	"strings"
)

// files contains the documents of the entries, the files about all entries, and the records.
//
//go:embed entries/*.json recorded.json
var files embed.FS

// ready reports whether the files are available. A native program embeds them, so they always are.
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
	names, err := fs.Glob(files, "entries/*.json")
	for _, name := range append(names, "recorded.json") {
		text, wrong := files.ReadFile(name)
		var small bytes.Buffer
		err = errors.Join(err, wrong, json.Compact(&small, text))
		all[strings.TrimSuffix(path.Base(name), ".json")] = small.Bytes()
	}
	if err != nil {
		return nil, err
	}
	return json.Marshal(all)
}
