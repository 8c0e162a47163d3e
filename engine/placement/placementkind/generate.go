package placementkind

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"berth/engine/dot"
	"berth/engine/format"
	"berth/engine/scenario"
	"berth/engine/workload"
)

// CheckQuery asks what a single graph is and what is wrong with it. Without text
// or recipe its text is the file TextFile.
type CheckQuery struct {
	Source scenario.Source `json:"source"`
	Role   dot.Role        `json:"role"` // Unknown: the labels decide
	Strict bool            `json:"strict,omitempty"`
}

// TextFile is the file of a check.
const TextFile = "text"

func checkFile(ctx context.Context, q CheckQuery, files scenario.Files) (Checked, error) {
	if file, ok := files[TextFile]; ok {
		if file.Size() > scenario.MaxTexts {
			return Checked{}, fmt.Errorf("%s has %d bytes; at most %d (%d MiB) are read", q.Source.Name, file.Size(), scenario.MaxTexts, scenario.MaxTexts>>20)
		}
		text, err := file.Bytes(ctx)
		if err == nil {
			text, err = scenario.Unpack(text, scenario.MaxTexts)
		}
		if err != nil {
			return Checked{}, fmt.Errorf("%s: %w", q.Source.Name, err)
		}
		q.Source.Text = scenario.AsText(text)
	}
	if err := format.Readable(q.Source.Text); err != nil {
		return Checked{}, err
	}
	return Check(ctx, Source(q.Source), q.Role, q.Strict), nil
}

// GenerateQuery asks for the graph of a recipe as DOT.
type GenerateQuery struct {
	Recipe  workload.Recipe `json:"recipe"`
	Dialect dot.Dialect     `json:"dialect"`
}

// Generated is a graph that a generator made.
type Generated struct {
	Nodes int    `json:"nodes"`
	Edges int    `json:"edges"`
	Text  []byte `json:"-"`

	write func(io.Writer, dot.Dialect) error
}

// Pack implements [scenario.Packed].
func (g *Generated) Pack() []byte { return g.Text }

// Unpack implements [scenario.Packed].
func (g *Generated) Unpack(data []byte) error {
	g.Text = data
	return nil
}

// generated makes the graph of a recipe, but not its text.
func generated(r workload.Recipe, role dot.Role) (*Generated, error) {
	if role == dot.Federation {
		f, err := workload.Federation(r)
		if err != nil {
			return nil, err
		}
		return &Generated{f.Clusters().Len(), f.Links().Len(), nil, func(w io.Writer, d dot.Dialect) error { return dot.WriteFederation(w, f, d) }}, nil
	}
	d, err := workload.Deployment(r)
	if err != nil {
		return nil, err
	}
	return &Generated{d.Jobs().Len(), d.Dependencies().Len(), nil, func(w io.Writer, dialect dot.Dialect) error { return dot.WriteDeployment(w, d, dialect) }}, nil
}

func generate(_ context.Context, q GenerateQuery, _ scenario.Files) (*Generated, error) {
	g, err := generated(q.Recipe, roleOf(Source{Recipe: &q.Recipe}))
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	err = g.write(&text, q.Dialect)
	g.Text = text.Bytes()
	return g, err
}
