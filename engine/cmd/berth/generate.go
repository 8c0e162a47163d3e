package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"math"
	"strconv"
	"strings"

	"berth/engine/dot"
	"berth/engine/workload"
)

var generate = &command{
	name: "generate", summary: "make a federation or a deployment at random",
	usage: "  berth generate federation|deployment [flags]",
	details: `The graph is written to standard output. Parameters may be written with
dashes or underscores. The preset "listing" has the numbers that the thesis
prints, "thesis" those that its results show; there --index chooses one of the
ten deployments. A federation is a mesh, of which --star writes only the links
to the centre: the others follow from them.`,
	run: runGenerate,
}

func runGenerate(c *call) error {
	generator := "deployment"
	for _, a := range c.args {
		if a == "federation" || a == "deployment" {
			generator = a
			break
		}
	}
	f := c.flags()
	var g generateFlags
	if err := g.register(f, generator); err != nil {
		return err
	}
	args, err := c.parse(f, "federation or deployment")
	if err != nil {
		return err
	}
	if args[0] != generator {
		return c.misuse("unknown graph %q; known: federation, deployment", args[0])
	}
	g.recipe.Preset = g.preset.value
	var b bytes.Buffer
	if generator == "federation" {
		err = g.federation(&b)
	} else {
		err = g.deployment(&b)
	}
	if err != nil {
		return c.misuse("%v", err)
	}
	return c.write("", b.Bytes())
}

type generateFlags struct {
	recipe          workload.Recipe
	preset, dialect *choice
	star            bool
}

func (g *generateFlags) register(f *flag.FlagSet, generator string) error {
	g.recipe = workload.Recipe{Generator: generator, Parameters: map[string]float64{}}
	g.preset = choose(f, "preset", "where the defaults come from", "listing", "thesis")
	g.dialect = choose(f, "dialect", "how to write labels", string(dot.Plain), string(dot.Thesis))
	f.Uint64Var(&g.recipe.Seed, "seed", 1, "`SEED` of all that is random")
	if generator == "federation" {
		f.BoolVar(&g.star, "star", false, "write only the links to the centre")
	} else {
		f.IntVar(&g.recipe.Index, "index", 0, "which of the ten deployments of the preset thesis, from `0`")
	}
	parameters, err := workload.Defaults(generator, "listing")
	if err != nil {
		return err
	}
	for _, p := range parameters {
		g.parameter(f, p, p.Name)
	}
	return nil
}

// parameter adds a flag for a parameter of the generator, and the other ways to
// write it.
func (g *generateFlags) parameter(f *flag.FlagSet, p workload.Parameter, name string) {
	set := func(s string) error {
		v, err := strconv.ParseFloat(s, 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return errors.New("expected a finite number")
		}
		g.recipe.Parameters[name] = v
		return nil
	}
	f.Func(strings.ReplaceAll(name, "_", "-"), fmt.Sprintf("%s (default %v)", p.Help, p.Value), set)
}

func (g *generateFlags) deployment(b *bytes.Buffer) error {
	d, err := workload.Deployment(g.recipe)
	if err != nil {
		return err
	}
	return dot.WriteDeployment(b, d, dot.Dialect(g.dialect.value))
}

func (g *generateFlags) federation(b *bytes.Buffer) error {
	f, err := workload.Federation(g.recipe)
	if err != nil {
		return err
	}
	if !g.star {
		if f, err = mesh(f); err != nil {
			return err
		}
	}
	return dot.WriteFederation(b, f, dot.Dialect(g.dialect.value))
}
