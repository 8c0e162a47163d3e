package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"berth/engine/dot"
	"berth/engine/workload"
)

var generate = &command{
	name: "generate", summary: "make a federation or a deployment at random",
	usage: "  berth generate federation|deployment [flags]",
	details: `"berth generate federation --help" and "berth generate deployment --help" list the
parameters, which may be written with dashes or underscores. The graph goes to
standard output. The preset "listing" has the numbers that the thesis prints,
"thesis" those that its results show; there --index chooses one of the ten
deployments. A federation is a mesh, of which --star writes only the links to
the centre: the others follow from them.`,
	run: runGenerate,
}

func runGenerate(c *call) error {
	i := slices.IndexFunc(c.args, func(a string) bool { return a == workload.FederationGenerator || a == workload.DeploymentGenerator })
	f := c.flags()
	var g generateFlags
	if i < 0 {
		g.common(f)
		if _, err := c.parse(f, "federation or deployment"); err != nil && !errors.As(err, new(badInput)) {
			return err
		}
		return c.misuse("expected federation or deployment")
	}
	if err := g.register(f, c.args[i]); err != nil {
		return err
	}
	c.args = dashes(c.args)
	if _, err := c.parse(f, "federation or deployment"); err != nil {
		return err
	}
	text, note, err := g.graph()
	if err != nil {
		return c.misuse("%v", err)
	}
	if err := c.write(text); err != nil || note == "" {
		return err
	}
	_, err = fmt.Fprintln(c.errs, "note:", note)
	return err
}

// flagged tells flags from arguments and negative numbers.
var flagged = regexp.MustCompile(`^--?[a-z]`)

// dashes writes the names of flags as they are registered: n_nodes, as the
// thesis writes it, is nodes.
func dashes(args []string) []string {
	out := slices.Clone(args)
	for i, a := range out {
		if !flagged.MatchString(a) {
			continue
		}
		name, value, given := strings.Cut(strings.TrimLeft(a, "-"), "=")
		out[i] = "--" + flagName(name)
		if given {
			out[i] += "=" + value
		}
	}
	return out
}

func flagName(parameter string) string {
	return strings.TrimPrefix(strings.ReplaceAll(parameter, "_", "-"), "n-")
}

type generateFlags struct {
	recipe          workload.Recipe
	preset, dialect *choice
	star            bool
}

func (g *generateFlags) common(f *flag.FlagSet) {
	g.preset = choose(f, "preset", "where the defaults come from", workload.ListingPreset, workload.ThesisPreset)
	g.dialect = choose(f, "dialect", "how to write labels", string(dot.Thesis), string(dot.Plain))
	seed(f, &g.recipe.Seed)
}

func (g *generateFlags) register(f *flag.FlagSet, generator string) error {
	g.common(f)
	g.recipe.Generator, g.recipe.Parameters = generator, map[string]float64{}
	if generator == workload.FederationGenerator {
		f.BoolVar(&g.star, "star", false, "write only the links to the centre")
	} else {
		parsed(f, &g.recipe.Index, "index", "`NUMBER` from 0 of the deployment, of the ten in the preset thesis", "a whole number", func(s string) (int, bool) {
			v, err := strconv.Atoi(s)
			return v, err == nil
		})
	}
	listing, err := workload.Defaults(generator, workload.ListingPreset)
	if err != nil {
		return err
	}
	thesis, err := workload.Defaults(generator, workload.ThesisPreset)
	if err != nil {
		return err
	}
	for i, p := range listing {
		g.parameter(f, p, thesis[i].Value)
	}
	return nil
}

func (g *generateFlags) parameter(f *flag.FlagSet, p workload.Parameter, thesis float64) {
	usage := fmt.Sprintf("%s (listing %v, thesis %v)", p.Help(), p.Value, thesis)
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

// graph generates the graph and writes it. The note is empty if there is nothing
// to say.
func (g *generateFlags) graph() (text []byte, note string, err error) {
	g.recipe.Preset = g.preset.value
	if g.recipe.Generator == workload.DeploymentGenerator {
		return g.deployment()
	}
	f, err := workload.Federation(g.recipe)
	if err == nil && !g.star {
		f, err = workload.Mesh(f)
	}
	if err != nil {
		return nil, "", err
	}
	var b bytes.Buffer
	err = dot.WriteFederation(&b, f, dot.Dialect(g.dialect.value))
	return b.Bytes(), "", err
}

func (g *generateFlags) deployment() (text []byte, note string, err error) {
	drawn, err := g.recipe.Dependencies()
	if err != nil {
		return nil, "", err
	}
	d, err := workload.Deployment(g.recipe)
	if err != nil {
		return nil, "", err
	}
	if kept := d.Dependencies().Len(); kept < drawn {
		note = fmt.Sprintf("dependencies drawn: %d, written: %d; parallel ones merge and keep the tightest bound", drawn, kept)
	}
	var b bytes.Buffer
	err = dot.WriteDeployment(&b, d, dot.Dialect(g.dialect.value))
	return b.Bytes(), note, err
}
