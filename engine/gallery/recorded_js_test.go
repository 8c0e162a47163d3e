package gallery

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
)

func init() {
	all := map[string]json.RawMessage{}
	names, _ := filepath.Glob("entries/*.json")
	for _, name := range append(names, "recorded.json") {
		text, err := os.ReadFile(name)
		if err != nil {
			panic(err)
		}
		all[strings.TrimSuffix(filepath.Base(name), ".json")] = text
	}
	files = all
}
