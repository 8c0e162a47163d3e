package main

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	flag "github.com/spf13/pflag"

	"berth/engine/parameter"
	"berth/engine/scenario"
	"berth/engine/show"
)

// given wraps the value of a flag and records the texts that set it. A second text is an error
// unless the flag may be repeated.
type given struct {
	flag.Value
	texts []string
}

// Set implements [flag.Value].
func (g *given) Set(s string) error {
	if _, many := g.Value.(repeated); !many && len(g.texts) > 0 {
		return fmt.Errorf("is given twice, %s and %s", g.texts[0], s)
	}
	g.texts = append(g.texts, s)
	return g.Value.Set(s)
}

// parameterFlags adds a flag for each parameter. A flag parses its text with parse and sets the
// parameter in the document. The document's current values are the defaults.
func parameterFlags(f *flag.FlagSet, document any, all []parameter.Parameter, parse func(p *parameter.Parameter, text string) (float64, error)) {
	for _, p := range all {
		set := func(text string) error {
			if p.Word != "" && text == p.Word {
				return p.Set(document, nil)
			}
			x, err := parse(&p, text)
			if err != nil {
				return err
			}
			return p.Set(document, &x)
		}
		switch {
		case p.Help == "": // the parameter is only for documents and forms
		case p.Switch:
			f.BoolFunc(p.Flag(), p.Help, set)
		case p.Choices != nil:
			_ = p.Set(document, &p.Default)
			f.Var(&choice{set, p.Names()}, p.Flag(), p.Help+": "+strings.Join(p.Names(), ", "))
		default:
			usage := p.Help
			if p.Usual == "" {
				usage += fmt.Sprintf(" (default %s)", p.FlagText(p.Value(document)))
			}
			f.Func(p.Flag(), usage, set)
		}
	}
}

// plugInFlags adds a flag for each parameter of a plug-in, such as --hybrid-limit. It returns a map
// that receives the values that the user gives.
func plugInFlags(f *flag.FlagSet, name string, all []parameter.Parameter) parameter.Values {
	values := parameter.Values{}
	for _, p := range all {
		f.Func(name+"-"+p.Flag(), fmt.Sprintf("%s: %s, `%s` (default %v)", name, p.Title, cmp.Or(p.Unit, "NUMBER"), p.Default), func(text string) error {
			x, ok := show.ParseNumber(text)
			if !ok || p.Check(x) != nil {
				return errors.New("expected " + p.Expected())
			}
			values[p.Name] = x
			return nil
		})
	}
	return values
}

// writes adds a flag for an output file of the command.
func (c *call) writes(f *flag.FlagSet, name, usage string) *output {
	o := &output{flag: name}
	c.outputs = append(c.outputs, o)
	f.Var(o, name, usage)
	return o
}

// choice is a flag with a fixed set of values; the first one is the default.
type choice struct {
	set   func(string) error
	known []string
}

func (c *choice) String() string { return c.known[0] }

// Type implements [flag.Value].
func (*choice) Type() string { return "NAME" }

// Set implements [flag.Value].
func (c *choice) Set(s string) error {
	if !slices.Contains(c.known, s) {
		return fmt.Errorf("expected one of %s, not %q%s", strings.Join(c.known, ", "), s, didYouMean("", s, c.known))
	}
	return c.set(s)
}

// values returns the accepted values, for completion.
func (c *choice) values() []string { return c.known }

func (c *choices) values() []string { return c.known }

// choose adds a flag with a fixed set of values, whose default is the first one.
func choose(f *flag.FlagSet, to *string, name, usage string, known ...string) {
	*to = known[0]
	set := func(s string) error {
		*to = s
		return nil
	}
	f.Var(&choice{set, known}, name, usage+": "+strings.TrimPrefix(strings.Join(known, ", "), ", ")) // an empty default is not listed
}

// parsed adds a flag with its own parser. parse returns false for an invalid value; expected then
// describes a valid one.
func parsed[T any](f *flag.FlagSet, to *T, name, usage, expected string, parse func(string) (T, bool)) {
	f.Func(name, usage, func(s string) error {
		v, ok := parse(s)
		if !ok {
			return fmt.Errorf("expected %s", expected)
		}
		*to = v
		return nil
	})
}

// source adds a flag for a file that a document refers to.
func source(f *flag.FlagSet, to **scenario.Source, name, usage string) {
	f.Func(name, usage, func(file string) error {
		*to = &scenario.Source{Name: file}
		return nil
	})
}

// whole returns a parser of whole numbers between least and most.
func whole(least, most int) func(string) (int, bool) {
	return func(s string) (int, bool) {
		n, err := strconv.Atoi(s)
		return n, err == nil && n >= least && n <= most
	}
}

func seed(f *flag.FlagSet, to *uint64) {
	seedOf(f, to, "seed", "`SEED` of all that is random (default 1)")
}

func seedOf(f *flag.FlagSet, to *uint64, name, usage string) {
	*to = 1
	parsed(f, to, name, usage, "a whole number from 0 to 2^64-1", func(s string) (uint64, bool) {
		v, err := strconv.ParseUint(s, 10, 64)
		return v, err == nil
	})
}

func memory(f *flag.FlagSet, to *int64) {
	usage := fmt.Sprintf("`SIZE` of memory that a run may take, such as 16GB (default %.1fGB, and %.1fGB with a policy that is written as text)", scenario.NativeMemory/1e9, policyMemory/1e9)
	parsed(f, to, "memory", usage, "a size above 0 such as 500MB or 16GB", func(s string) (int64, bool) {
		unit := 1e9
		number, ok := strings.CutSuffix(s, "GB")
		if !ok {
			unit = 1e6
			number, ok = strings.CutSuffix(s, "MB")
		}
		v, isNumber := finite(number)
		return int64(v * unit), ok && isNumber && v*unit >= 1 && v*unit < 1<<62
	})
}

func finite(s string) (float64, bool) {
	v, ok := show.ParseNumber(s)
	return v, ok && !math.IsNaN(v) && !math.IsInf(v, 0)
}

// repeated marks flags that may be repeated.
type repeated interface{ repeated() }

func (*list) repeated()    {}
func (*choices) repeated() {}

// choices is a repeatable flag with a fixed set of values.
type choices struct {
	list
	known   []string
	current func(string) string // maps former names to current ones
}

// Set implements [flag.Value].
func (c *choices) Set(s string) error {
	return (&choice{c.list.Set, c.known}).Set(c.current(s))
}

// list is a repeatable flag.
type list []string

func (l *list) String() string { return "" }

// Type implements [flag.Value].
func (*list) Type() string { return "NAME" }

// Set implements [flag.Value].
func (l *list) Set(s string) error {
	*l = append(*l, s)
	return nil
}
