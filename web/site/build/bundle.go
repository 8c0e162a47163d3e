package build

import (
	"errors"
	"path/filepath"

	"github.com/evanw/esbuild/pkg/api"
)

// bundle combines a module and its imports from npm into one script. Their licences
// are in licences.txt.
func bundle(file string) ([]byte, error) {
	dir, err := filepath.Abs(filepath.Dir(file))
	if err != nil {
		return nil, err
	}
	built := api.Build(api.BuildOptions{
		AbsWorkingDir: dir,
		EntryPoints:   []string{filepath.Base(file)},
		Bundle:        true,
		Format:        api.FormatIIFE,
		Target:        api.ES2022,
		LegalComments: api.LegalCommentsNone,

		MinifyWhitespace:  true,
		MinifyIdentifiers: true,
		MinifySyntax:      true,
	})
	if len(built.Errors) > 0 {
		text := ""
		for _, message := range api.FormatMessages(built.Errors, api.FormatMessagesOptions{}) {
			text += message
		}
		return nil, errors.New(text)
	}
	return built.OutputFiles[0].Contents, nil
}
