package main

import (
	"errors"
	"io/fs"
	"strings"
	"time"
	"unicode"

	flag "github.com/spf13/pflag"

	"berth/engine/parameter"
	"berth/engine/scenario"
)

// prepared is a scenario made from flags, with its work.
type prepared[W scenario.Work] struct {
	*scenario.Prepared
	work W
}

// prepare reads the inputs of a scenario made from flags.
func prepare[W scenario.Work](c *call, f fields, s scenario.Scenario, memory int64) (p prepared[W], err error) {
	if err := s.Validate(); err != nil {
		return p, f.errors(s.Kind, err)
	}
	files := files{}
	for _, slot := range s.Slots() {
		if slot.Source.Beside() {
			if err := files.add(c, slot); err != nil {
				return p, err
			}
		}
	}
	p.Prepared, err = scenario.Prepare(c, s, scenario.Env{Now: clock(), Memory: memory, Budget: c.load(memory), Beside: files.open})
	if err != nil {
		return p, f.errors(s.Kind, err)
	}
	p.work, err = scenario.WorkOf[W](p.Prepared)
	return p, err
}

// fields maps fields of a document to the flags that set them. Some flags set parameters.
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
