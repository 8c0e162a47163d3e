package main

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"
	"unicode"

	flag "github.com/spf13/pflag"

	"berth/engine/diag"
	"berth/engine/parameter"
	"berth/engine/scenario"
)

// laboratory has the flags that place, simulate, federate and fragment share. Each command converts
// its flags to a document and runs it with conduct.
type laboratory struct {
	fields
	memory int64
	output string // output format
}

func (l *laboratory) register(f *flag.FlagSet, parameters []parameter.Parameter, formats ...string) {
	l.fields = fields{f, parameters}
	memory(f, &l.memory)
	choose(f, &l.output, "format", "what to print", formats...)
}

// conduct reads the inputs of a document made from flags, prints their warnings, and runs it. It
// calls begin with the prepared work before the run.
func conduct[W scenario.Work](c *call, l *laboratory, s scenario.Scenario, begin func(W)) (work W, r *scenario.Report, err error) {
	if err := s.Validate(); err != nil {
		return work, nil, l.errors(s.Kind, err)
	}
	files := files{}
	for _, slot := range s.Slots() {
		if slot.Source.Beside() {
			if err := files.add(c, slot); err != nil {
				return work, nil, err
			}
		}
	}
	e, err := scenario.Prepare(c, s, scenario.Env{Now: clock(), Memory: l.memory, Budget: c.load(l.memory), Beside: files.open})
	if err == nil {
		work, err = scenario.WorkOf[W](e)
	}
	if err != nil {
		return work, nil, l.errors(s.Kind, err)
	}
	if w, ok := any(work).(interface{ Warnings() []string }); ok {
		for _, warning := range w.Warnings() {
			fmt.Fprintln(c.errs, "warning:", warning)
		}
	}
	if w, ok := any(work).(interface{ Diagnostics() diag.List }); ok {
		for _, d := range w.Diagnostics() {
			fmt.Fprintf(c.errs, "%s: %s\n", d.Severity, d)
		}
	}
	begin(work)
	r, err = e.Run(c)
	return work, r, l.errors(s.Kind, err)
}

// required returns an error if a flag is missing. pairs alternates names and values of flags.
func (c *call) required(pairs ...string) error {
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] == "" {
			return c.misuse("--%s is missing", pairs[i])
		}
	}
	return nil
}

// distinct returns an error if a repeated flag has a value twice.
func (c *call) distinct(flag string, values []string) error {
	for i, value := range values {
		if slices.Contains(values[:i], value) {
			return c.misuse("--%s %s is given twice", flag, value)
		}
	}
	return nil
}

// fields maps the fields of a document to the flags that set them.
type fields struct {
	*flag.FlagSet
	parameters []parameter.Parameter
}

// errors replaces the fields in an error about a document by the flags that set them.
func (f fields) errors(kind string, err error) error {
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		return unreadable(path.Path, err)
	}
	input, ok := errors.AsType[*scenario.InputError](err)
	if !ok {
		return err
	}
	for i := range input.Diagnostics {
		d := &input.Diagnostics[i]
		field, ok := strings.CutPrefix(d.Path, kind+".")
		if name := f.flag(field); ok && name != "" && d.Line == 0 {
			d.Path = "--" + name
		}
	}
	return input
}

// flag returns the flag that sets a field of a document, "" if no flag does: --shortest-paths for
// shortestPaths, --strategy for strategies[0].name.
func (f fields) flag(field string) string {
	field, _, _ = strings.Cut(field, "[")
	if p := parameter.At(f.parameters, field); p != nil {
		return p.Flag()
	}
	field, _, _ = strings.Cut(field, ".")
	var dashed strings.Builder
	for _, r := range field {
		if unicode.IsUpper(r) {
			dashed.WriteByte('-')
		}
		dashed.WriteRune(unicode.ToLower(r))
	}
	name := dashed.String()
	for _, name := range []string{name, strings.TrimSuffix(name, "s"), strings.TrimSuffix(name, "ies") + "y",
		strings.TrimPrefix(name, "no-"), strings.TrimPrefix(name, "inferred-")} {
		if f.Lookup(name) != nil {
			return name
		}
	}
	return ""
}

// clock returns a function that returns the milliseconds since this call.
func clock() func() float64 {
	start := time.Now()
	return func() float64 { return float64(time.Since(start).Nanoseconds()) / 1e6 }
}
