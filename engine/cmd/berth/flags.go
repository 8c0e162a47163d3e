package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"berth/engine/budget"
	"berth/engine/decimal"
	"berth/engine/diag"
	"berth/engine/parameter"
	"berth/engine/scenario"
)

// command is one of the things that berth does.
type command struct {
	name, summary string
	usage         string // the lines below "Usage:"
	details       string // the text below the flags
	run           func(*call) error
}

// call is one use of a command.
type call struct {
	context.Context
	*command
	args      []string
	in        io.Reader
	stdinUsed bool
	out, errs io.Writer
	outputs   []*output // the first is that of what would go to standard output
	budget    *budget.Budget
}

// errHelped ends a command that was only asked for help.
var errHelped = errors.New("helped")

// flags returns an empty set for the command.
func (c *call) flags() *flag.FlagSet {
	f := flag.NewFlagSet(c.name, flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.Usage = func() {}
	return f
}

// singleDash finds where package flag names a flag with one dash or none.
var singleDash = regexp.MustCompile(`(flag|argument:|defined:|for) -(\w)|(boolean flag) (\w)`)

// given is the value of a flag as it was given: once, unless it is a list.
type given struct {
	flag.Value
	texts []string
}

// Set implements [flag.Value].
func (g *given) Set(s string) error {
	if _, many := g.Value.(repeated); !many && len(g.texts) > 0 {
		return fmt.Errorf("there is one already, %s", g.texts[0])
	}
	g.texts = append(g.texts, s)
	return g.Value.Set(s)
}

// IsBoolFlag says that the flag needs no value.
func (g *given) IsBoolFlag() bool {
	b, ok := g.Value.(interface{ IsBoolFlag() bool })
	return ok && b.IsBoolFlag()
}

// parse reads flags and arguments in any order and returns the arguments, of
// which there must be as many as names, or any number if the last ends in "…". The
// arguments, and the flags whose value is a FILE or, as SLOT=FILE, names one, are
// inputs but for the outputs.
func (c *call) parse(f *flag.FlagSet, names ...string) ([]string, error) {
	f.VisitAll(func(f *flag.Flag) { f.Value = &given{Value: f.Value} })
	args, err := c.arguments(f, names)
	if err != nil {
		return nil, err
	}
	inputs, empty := slices.Clone(args), ""
	f.VisitAll(func(f *flag.Flag) {
		g := f.Value.(*given)
		value, _ := flag.UnquoteUsage(f)
		named := strings.HasSuffix(value, "=FILE")
		if value != "FILE" && !named {
			return
		}
		_, out := g.Value.(*output)
		for _, file := range g.texts {
			if named {
				_, file, _ = strings.Cut(file, "=")
			}
			if file == "" {
				empty = f.Name
			}
			if !out {
				inputs = append(inputs, file)
			}
		}
	})
	if empty != "" {
		return nil, c.misuse("--%s: expected the name of a file", empty)
	}
	return args, c.claim(inputs)
}

func (c *call) arguments(f *flag.FlagSet, names []string) ([]string, error) {
	var given []string
	for rest := c.args; ; {
		err := f.Parse(rest)
		if errors.Is(err, flag.ErrHelp) {
			return nil, c.help(f)
		}
		if err != nil {
			return nil, c.misuse("%s", singleDash.ReplaceAllString(err.Error(), "$1$3 --$2$4"))
		}
		if f.NArg() == 0 {
			break
		}
		given, rest = append(given, f.Arg(0)), f.Args()[1:]
	}
	many := len(names) > 0 && strings.HasSuffix(names[len(names)-1], "…")
	if len(given) > len(names) && !many {
		return nil, c.misuse("unexpected argument %q", given[len(names)])
	}
	if len(given) < len(names) && !many {
		return nil, c.misuse("%s is missing", names[len(given)])
	}
	if i := slices.Index(given, ""); i >= 0 {
		return nil, c.misuse("%s is an empty text", names[min(i, len(names)-1)])
	}
	return given, nil
}

// parameterFlags adds a flag for each parameter, read by parse, which sets it in a
// document. What the document has already is the default.
func parameterFlags(f *flag.FlagSet, document any, all []parameter.Parameter, parse func(p *parameter.Parameter, text string) (float64, error)) {
	for _, p := range all {
		usage := p.Help
		if p.Usual == "" {
			usage += fmt.Sprintf(" (default %s)", p.FlagText(p.Value(document)))
		}
		f.Func(p.Flag(), usage, func(text string) error {
			if p.Word != "" && text == p.Word {
				return p.Set(document, nil)
			}
			x, err := parse(&p, text)
			if err != nil {
				return err
			}
			return p.Set(document, &x)
		})
	}
}

// plugInFlags adds a flag for each parameter of a plug-in, such as --hybrid-limit,
// and returns the values that are given.
func plugInFlags(f *flag.FlagSet, name string, all []parameter.Parameter) parameter.Values {
	values := parameter.Values{}
	for _, p := range all {
		f.Func(name+"-"+p.Flag(), fmt.Sprintf("%s: %s, `%s` (default %v)", name, p.Title, cmp.Or(p.Unit, "NUMBER"), p.Default), func(text string) error {
			x, ok := decimal.Parse(text)
			if !ok || p.Check(x) != nil {
				return errors.New("expected " + p.Expected())
			}
			values[p.Name] = x
			return nil
		})
	}
	return values
}

// asFlags tells what is wrong with a field of a document of a kind, which the
// command has made of its flags, as a misuse of the flag.
func (c *call) asFlags(kind string, parameters []parameter.Parameter, err error) error {
	input, ok := errors.AsType[*scenario.InputError](err)
	if !ok {
		return err
	}
	d := input.Diagnostics[0]
	field, ours := strings.CutPrefix(d.Field, kind+".")
	problem, told := strings.CutPrefix(d.Message, d.Field+": ")
	if !ours || !told || d.File != diag.Document {
		return err
	}
	field, _, _ = strings.Cut(field, "[")
	if p := parameter.At(parameters, field); p != nil {
		field = p.Flag()
	} else if field == "schedulers" {
		field = "scheduler"
	}
	return c.misuse("--%s: %s", field, problem)
}

// misuse is an error in flags or arguments.
func (c *call) misuse(format string, args ...any) error {
	return badInputf("berth %s: %s; see berth %s --help", c.name, fmt.Sprintf(format, args...), c.name)
}

// help prints all about the command and returns errHelped.
func (c *call) help(f *flag.FlagSet) error {
	var b strings.Builder
	fmt.Fprintf(&b, "Usage:\n%s\n", c.usage)
	fmt.Fprintf(&b, "\nFlags:\n")
	f.VisitAll(func(f *flag.Flag) {
		value, usage := flag.UnquoteUsage(f)
		fmt.Fprintf(&b, "  %s\n        %s", strings.TrimSpace("--"+f.Name+" "+value), usage)
		if f.DefValue != "" && f.DefValue != "false" {
			fmt.Fprintf(&b, " (default %s)", f.DefValue)
		}
		b.WriteByte('\n')
	})
	if c.details != "" {
		fmt.Fprintf(&b, "\n%s\n", c.details)
	}
	if _, err := io.WriteString(c.out, b.String()); err != nil {
		return err
	}
	return errHelped
}

// writes adds the flag for an output of the command.
func (c *call) writes(f *flag.FlagSet, name, usage string) *output {
	o := &output{flag: name}
	c.outputs = append(c.outputs, o)
	f.Var(o, name, usage)
	return o
}

// choice is a flag with a few values.
type choice struct {
	value string
	known []string
}

func (c *choice) String() string { return c.value }

// Set implements [flag.Value].
func (c *choice) Set(s string) error {
	if !slices.Contains(c.known, s) {
		return fmt.Errorf("known: %s", strings.Join(c.known, ", "))
	}
	c.value = s
	return nil
}

// choose adds a flag of which the first known value is the default.
func choose(f *flag.FlagSet, name, usage string, known ...string) *choice {
	c := &choice{value: known[0], known: known}
	f.Var(c, name, usage+": "+strings.Join(known, ", "))
	return c
}

// parsed adds a flag whose value is read by parse, which says false of one that
// is not as expected.
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

// seed adds the flag for the seed of all that is random.
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

// memory adds the flag for what a run may take.
func memory(f *flag.FlagSet, to *int64) {
	usage := fmt.Sprintf("`SIZE` of memory that a run may take, such as 16GB (default %.1fGB)", scenario.NativeMemory/1e9)
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

// finite reads a number for parsed.
func finite(s string) (float64, bool) {
	v, ok := decimal.Parse(s)
	return v, ok && !math.IsNaN(v) && !math.IsInf(v, 0)
}

// repeated is a flag that may be given several times.
type repeated interface{ repeated() }

func (*list) repeated()    {}
func (*choices) repeated() {}

// choices is a flag with a few values, of which several may be given.
type choices struct {
	list
	known []string
}

// Set implements [flag.Value].
func (c *choices) Set(s string) error {
	one := choice{known: c.known}
	if err := one.Set(s); err != nil {
		return err
	}
	return c.list.Set(s)
}

// list is a flag that may be given several times.
type list []string

func (l *list) String() string { return "" }

// Set implements [flag.Value].
func (l *list) Set(s string) error {
	*l = append(*l, s)
	return nil
}
