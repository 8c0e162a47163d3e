package dot

import (
	"fmt"
	"sort"
	"strconv"

	"berth/engine/diag"
	"berth/engine/show"
)

// maxReported limits the diagnostics of each severity. A file of the wrong kind may cause millions.
const maxReported = 100

// problems collects the diagnostics of a file by byte offset.
type problems struct {
	file, src string
	strict    bool
	found     []problem
	count     [diag.Severities]int
	places    *diag.Places // created on first use
}

type problem struct {
	offset int
	diag.Diagnostic
}

func (p *problems) add(s diag.Severity, offset int, element fmt.Stringer, field string, code *diag.Code, args ...any) {
	if s == diag.Warning && p.strict {
		s = diag.Error
	}
	p.count[s]++
	if p.count[s] > maxReported {
		return
	}
	for i, arg := range args {
		if l, ok := arg.(lineOf); ok {
			args[i] = l.String()
		}
	}
	d := diag.Diagnostic{File: p.file, Severity: s, Field: show.Text(field), Code: code, Args: args}
	if element != nil {
		d.Element = element.String()
	}
	p.found = append(p.found, problem{offset, d})
}

func (p *problems) errorAt(offset int, code *diag.Code, args ...any) {
	p.add(diag.Error, offset, nil, "", code, args...)
}

// diagnostics returns all diagnostics so far in file order, with lines and columns.
func (p *problems) diagnostics() diag.List {
	sort.SliceStable(p.found, func(i, j int) bool { return p.found[i].offset < p.found[j].offset })
	all := make(diag.List, 0, len(p.found))
	for _, f := range p.found {
		f.Line, f.Column = p.place(f.offset)
		all = append(all, f.Diagnostic)
	}
	for s := diag.Error; s > diag.Note; s-- {
		if more := p.count[s] - maxReported; more > 0 {
			d := p.last(all, s)
			d.Element, d.Field, d.Code, d.Args = "", "", diag.More, []any{show.Count(more, "more "+s.String())}
			all = append(all, d)
		}
	}
	return all
}

func (p *problems) last(all diag.List, s diag.Severity) diag.Diagnostic {
	i := len(all) - 1
	for all[i].Severity != s {
		i--
	}
	return all[i]
}

// place returns the line and column of a byte.
func (p *problems) place(offset int) (line, column int) {
	if p.places == nil {
		p.places = diag.NewPlaces(p.src)
	}
	return p.places.Of(offset)
}

// lineOf is the line of a byte. It is computed only for messages that are kept.
type lineOf struct {
	p      *problems
	offset int
}

func (l lineOf) String() string {
	line, _ := l.p.place(l.offset)
	return strconv.Itoa(line)
}

func (p *problems) line(offset int) lineOf { return lineOf{p, offset} }
