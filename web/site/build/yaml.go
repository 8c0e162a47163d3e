package build

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"os"
	"path/filepath"
	"strings"
)

const yamlModule = "go.yaml.in/yaml/v3"

//go:embed yamlwords/words.go
var yamlWords []byte

// copyYAML copies package yaml without package regexp; see package yamlwords.
func copyYAML(ctx context.Context, root, to string) error {
	from, err := goModule(ctx, root, yamlModule)
	if err != nil {
		return err
	}
	if err := os.RemoveAll(to); err != nil {
		return err
	}
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	files, err := filepath.Glob(filepath.Join(from.Dir, "*.go"))
	if err != nil {
		return err
	}
	for _, file := range append(files, filepath.Join(from.Dir, "go.mod")) {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if change := yamlChanges[filepath.Base(file)]; change != "" {
			if text, err = withoutRegexp(text, change); err != nil {
				return err
			}
		}
		if err := os.WriteFile(filepath.Join(to, filepath.Base(file)), text, 0o644); err != nil {
			return err
		}
	}
	words := bytes.Replace(yamlWords, []byte("package yamlwords"), []byte("package yaml"), 1)
	return os.WriteFile(filepath.Join(to, "words.go"), words, 0o644)
}

// yamlChanges are the replacements of the one regular expression in each file.
var yamlChanges = map[string]string{"resolve.go": "decimal{}", "encode.go": "sexagesimal{}"}

func withoutRegexp(code []byte, matcher string) ([]byte, error) {
	const imported, compiled = "\t\"regexp\"\n", "regexp.MustCompile("
	before, rest, _ := bytes.Cut(code, []byte(compiled))
	_, after, ended := bytes.Cut(rest, []byte("`)\n"))
	if !ended || bytes.Count(code, []byte("regexp")) != 2 || !bytes.Contains(before, []byte(imported)) {
		return nil, errors.New("package yaml uses regular expressions in a way that this build does not know")
	}
	before = bytes.Replace(before, []byte(imported), nil, 1)
	return append(append(before, matcher+"\n"...), after...), nil
}
