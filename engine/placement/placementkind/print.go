package placementkind

import (
	"context"
	"fmt"

	"berth/engine/scenario"
	"berth/engine/vector"
)

// PrintQuery asks for a drawing in SVG as PDF or TikZ, by those names in lower case.
type PrintQuery struct {
	SVG    string `json:"svg"`
	Format string `json:"format"`
}

func printed(_ context.Context, q PrintQuery, _ scenario.Files) (file *scenario.Export, err error) {
	file = &scenario.Export{}
	switch q.Format {
	case "pdf":
		file.Type = "application/pdf"
		file.Data, err = vector.PDF([]byte(q.SVG))
	case "tikz":
		file.Type = "application/x-tex"
		file.Data, err = vector.TikZ([]byte(q.SVG))
	default:
		return nil, fmt.Errorf("unknown format %q; known: pdf, tikz", q.Format)
	}
	return file, err
}
