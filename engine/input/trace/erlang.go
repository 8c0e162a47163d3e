package trace

import (
	"strings"

	"berth/engine/cluster"
	"berth/engine/diag"
	"berth/engine/input/csv"
	"berth/engine/input/format/sniff"
	"berth/engine/input/workload"
	"berth/engine/show"
)

// Patterns of the terms in the file formats of the authors of the QoS-driven scheduler.
const (
	requestTerm  = `{timestamp,task,job,duration,cpu,ram,priority,antiaffinity,[{"key","op","value"},…]}.`
	hostTerm     = `{id,"name",cpu,ram,[{"key","value"},…]}.`
	overheadTerm = `{seconds}.`
)

// erlangRequests has one request per line, as an Erlang term, with times in seconds.
var erlangRequests = fileFormat{
	Format: sniff.Format{Name: "erlang-requests", Brief: "the authors' format", What: "a workload of requests", For: sniff.Requests, Too: sniff.Tasks, Accept: requestTerm,
		Syntax: sniff.Terms, Fit: func(h *sniff.Head) int { return max(sniff.Mistaken, sniff.ScoreIf(80, termValues(h) > 6)) }},
	table: &table{lines: terms, expects: requestTerm, columns: []column{
		{"timestamp", rowSubmit, inSeconds, must}, {"task", rowID, plain, must}, {"job", rowJob, plain, must}, {"duration", rowRun, inSeconds, must},
		{"cpu", rowCPU, plain, must}, {"ram", rowMemory, plain, must}, {"priority", rowPriority, plain, must}, {"antiaffinity", rowApart, plain, must},
		{"constraints", rowConstraints, plain, must},
	}},
}

func termConstraints(v value) (all []cluster.Constraint, err error) {
	if !v.compound {
		return nil, csv.FaultAt(v.At, constraintsNoList, v.Text)
	}
	for _, item := range v.items {
		if len(item.items) != 3 {
			return nil, csv.FaultAt(item.At, constraintFields, show.Count(len(item.items), "field"))
		}
		op, ok := cluster.ParseOperator(item.items[1].Text)
		if !ok {
			return nil, item.items[1].Fault(workload.UnknownOperator(item.items[1].Text))
		}
		all = append(all, cluster.Constraint{Key: item.items[0].Text, Op: op, Value: item.items[2].Text})
	}
	return all, nil
}

// termValues counts the values before the list in a term. A term with an unexpected number of
// values may still be a request with a mistake.
func termValues(h *sniff.Head) int {
	before, _, _ := strings.Cut(h.Line, "[")
	return strings.Count(before, ",")
}

var erlangOverheads = fileFormat{
	Format: sniff.Format{Name: "erlang-overheads", Brief: "the authors' format", What: "a list of overheads", For: sniff.Overheads, Accept: overheadTerm, Syntax: sniff.Terms, Fit: func(h *sniff.Head) int {
		inner, begun := strings.CutPrefix(h.Line, "{")
		inner, ended := strings.CutSuffix(inner, "}.")
		_, number := show.ParseNumber(inner)
		return sniff.ScoreIf(80, begun && ended && number)
	}},
	table: &table{lines: terms, expects: overheadTerm, columns: []column{{"overhead", rowRun, inSeconds, must}}},
}

var erlangHosts = fileFormat{
	Format: sniff.Format{Name: "erlang-hosts", Brief: "the authors' format", What: "a list of hosts", For: sniff.Hosts, Accept: hostTerm,
		Syntax: sniff.Terms, Fit: func(h *sniff.Head) int { return max(sniff.Mistaken, sniff.ScoreIf(80, termValues(h) == 4)) }},
	table: &table{lines: terms, expects: hostTerm, columns: []column{
		{"id", unused, plain, must}, {"name", rowID, plain, must}, {"cpu", rowCPU, plain, must}, {"ram", rowMemory, plain, must}, {"attributes", rowAttributes, plain, must},
	}},
}

func termAttributes(v value) (all []cluster.Attribute, err error) {
	if !v.compound {
		return nil, csv.FaultAt(v.At, attributesNoList, v.Text)
	}
	for _, a := range v.items {
		if len(a.items) != 2 {
			return nil, csv.FaultAt(a.At, attributeFields, show.Count(len(a.items), "field"))
		}
		all = append(all, cluster.Attribute{Key: a.items[0].Text, Value: a.items[1].Text})
	}
	return all, nil
}

// value is a scalar, or a tuple or list with its items.
type value struct {
	csv.Field
	compound bool
	items    []value
}

// termParser parses an Erlang term of tuples, lists, numbers, atoms and strings.
type termParser struct {
	line string
	rest string // unparsed rest of the line
}

// maxDepth is the maximum nesting of tuples and lists in a term, which bounds the recursion of the
// parser.
const maxDepth = 8

// parseTerm parses a line with a tuple of the given length and a full stop.
func parseTerm(line string, items int) ([]value, error) {
	p := termParser{line: line, rest: line}
	v, err := p.value(0)
	if err != nil {
		return nil, err
	}
	if !v.compound {
		return nil, csv.FaultAt(v.At, notTuple, v.Text)
	}
	p.space()
	switch p.rest {
	case ".":
	case "":
		return nil, p.refuse(noFullStop)
	default:
		return nil, p.refuse(otherEnd, short(p.rest))
	}
	if len(v.items) != items {
		return nil, csv.FaultAt(v.At, termFields, show.Count(len(v.items), "field"), items)
	}
	return v.items, nil
}

func (p *termParser) space() { p.rest = strings.TrimLeft(p.rest, " \t") }

func (p *termParser) at() int32 { return int32(len(p.line) - len(p.rest)) }

func (p *termParser) refuse(code *diag.Code, args ...any) error {
	return csv.FaultAt(p.at(), code, args...)
}

func (p *termParser) value(depth int) (value, error) {
	p.space()
	switch {
	case p.rest == "":
		return value{}, p.refuse(termEnds)
	case depth == maxDepth:
		return value{}, p.refuse(termTooDeep, maxDepth)
	case p.rest[0] == '{':
		return p.items('}', depth)
	case p.rest[0] == '[':
		return p.items(']', depth)
	case p.rest[0] == '"':
		return p.quoted()
	}
	end := strings.IndexAny(p.rest, ",}] \t")
	if end <= 0 {
		return value{}, p.refuse(noValue, short(p.rest))
	}
	v := value{Field: csv.Field{Text: p.rest[:end], At: p.at()}}
	p.rest = p.rest[end:]
	return v, nil
}

func (p *termParser) items(closing byte, depth int) (value, error) {
	v := value{Field: csv.Field{At: p.at()}, compound: true}
	p.rest = p.rest[1:]
	for p.space(); !strings.HasPrefix(p.rest, string(closing)); p.space() {
		if len(v.items) > 0 {
			switch {
			case p.rest == "":
				return value{}, p.refuse(openTerm, closing)
			case p.rest[0] != ',':
				return value{}, p.refuse(noComma, closing, short(p.rest))
			}
			p.rest = p.rest[1:]
		}
		item, err := p.value(depth + 1)
		if err != nil {
			return value{}, err
		}
		v.items = append(v.items, item)
	}
	p.rest = p.rest[1:]
	return v, nil
}

func (p *termParser) quoted() (value, error) {
	v := value{Field: csv.Field{At: p.at()}}
	var b strings.Builder
	for i := 1; i < len(p.rest); i++ {
		switch c := p.rest[i]; {
		case c == '"':
			p.rest = p.rest[i+1:]
			v.Text = b.String()
			return v, nil
		case c == '\\' && i+1 < len(p.rest):
			i++
			b.WriteByte(p.rest[i])
		default:
			b.WriteByte(c)
		}
	}
	return value{}, csv.FaultAt(v.At, openString)
}

func short(text string) string {
	if len(text) > 20 {
		return strings.ToValidUTF8(text[:20], "") + "…"
	}
	return text
}
