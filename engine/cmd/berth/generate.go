package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	flag "github.com/spf13/pflag"

	"berth/engine/dot"
	"berth/engine/input/workload"
	"berth/engine/parameter"
	"berth/engine/placement/graphs"
)

var generate = &command{
	name: "generate", summary: "generate a random federation or deployment", group: filesGroup,
	use: "federation|deployment",
	details: `The graph goes to standard output. You can write the names of parameters with dashes or
underscores. The preset "listing" has the numbers that the thesis prints, "thesis"
those that match its results, and "author", of a federation, those with the link prices
that its author published, 10 to 100, and 49 clusters besides the centre.`,
	examples: `  berth generate federation --preset thesis --nodes 50 --seed 1 --star > federation.dot
  berth generate deployment --preset thesis --index 4 --seed 1 > deployment.dot`,
	commands: []*command{
		generator(graphs.FederationGenerator, `The federation is a mesh. With --star Berth writes only the links to the centre; the
others follow from them.`),
		generator(graphs.DeploymentGenerator, `--index chooses one of the ten deployments of the preset thesis.`),
	},
	setUp: func(c *call, f *flag.FlagSet) func([]string) error {
		return func([]string) error { return c.misuse("expected federation or deployment") }
	},
}

// generator returns the command of a generator of graphs.
func generator(name, details string) *command {
	return &command{
		name: name, summary: "generate a random " + name, details: details,
		setUp: func(c *call, f *flag.FlagSet) func([]string) error {
			f.SetNormalizeFunc(func(_ *flag.FlagSet, name string) flag.NormalizedName { return flag.NormalizedName(flagName(name)) })
			g := &generateFlags{}
			g.register(f, name)
			return func([]string) error { return g.run(c) }
		},
	}
}

func (g *generateFlags) run(c *call) error {
	var b bytes.Buffer
	note, err := g.graph(&b)
	if err != nil {
		return c.misuse("%v", err)
	}
	if err := c.write(b.Bytes()); err != nil || note == "" {
		return err
	}
	_, err = fmt.Fprintln(c.errs, "note:", note)
	return err
}

// flagName returns the flag of a parameter: the thesis's n_nodes becomes nodes.
func flagName(parameter string) string {
	return strings.TrimPrefix(strings.ReplaceAll(parameter, "_", "-"), "n-")
}

type generateFlags struct {
	recipe  workload.Recipe
	dialect string
	star    bool
}

func (g *generateFlags) register(f *flag.FlagSet, generator string) {
	presets := []string{graphs.ListingPreset, graphs.ThesisPreset}
	if generator == graphs.FederationGenerator {
		presets = append(presets, graphs.AuthorPreset)
	}
	choose(f, &g.recipe.Preset, "preset", "where the defaults come from", presets...)
	choose(f, &g.dialect, "dialect", "how to write labels", string(dot.Thesis), string(dot.Plain))
	seed(f, &g.recipe.Seed)
	g.recipe.Generator, g.recipe.Parameters = generator, map[string]float64{}
	if generator == graphs.FederationGenerator {
		f.BoolVar(&g.star, "star", false, "write only the links to the centre")
	} else {
		parsed(f, &g.recipe.Index, "index", "`NUMBER` of the deployment, from 0 to 9, in the preset thesis", "a whole number", whole(math.MinInt, math.MaxInt))
	}
	listing, _ := graphs.Defaults(generator, graphs.ListingPreset)
	thesis, _ := graphs.Defaults(generator, graphs.ThesisPreset)
	for i, p := range listing {
		g.parameter(f, p, thesis[i].Default)
	}
}

func (g *generateFlags) parameter(f *flag.FlagSet, p parameter.Parameter, thesis float64) {
	usage := fmt.Sprintf("%s (listing %v, thesis %v)", p.Hinted(), p.Default, thesis)
	if p.Unit != "" {
		usage = p.Unit + ": " + usage
	}
	f.Func(flagName(p.Name), usage, func(s string) error {
		v, ok := finite(s)
		if !ok {
			return errors.New("expected a finite number")
		}
		g.recipe.Parameters[p.Name] = v
		return nil
	})
}

// graph generates the graph and writes its text. note is a remark about it, or "".
func (g *generateFlags) graph(to io.Writer) (note string, err error) {
	if g.recipe.Generator == graphs.FederationGenerator {
		f, err := graphs.Federation(g.recipe)
		if err == nil && !g.star {
			f, err = graphs.Mesh(f)
		}
		if err != nil {
			return "", err
		}
		return "", dot.WriteFederation(to, f, dot.Dialect(g.dialect))
	}
	drawn, err := graphs.Dependencies(g.recipe)
	if err != nil {
		return "", err
	}
	d, err := graphs.Deployment(g.recipe)
	if err != nil {
		return "", err
	}
	if kept := d.Dependencies().Len(); kept < drawn {
		note = fmt.Sprintf("dependencies drawn: %d, written: %d; parallel ones merge and keep the tightest bound", drawn, kept)
	}
	return note, dot.WriteDeployment(to, d, dot.Dialect(g.dialect))
}
