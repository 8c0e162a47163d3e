package trace

import (
	"io"
	"strings"

	"berth/engine/cluster"
	"berth/engine/diag"
	"berth/engine/input/csv"
	"berth/engine/input/format/sniff"
	"berth/engine/input/workload"
	"berth/engine/show"
	"berth/engine/sim"
)

// The terms of the formats of the authors of the QoS-driven scheduler.
const (
	requestTerm  = `{timestamp,task,job,duration,cpu,ram,priority,antiaffinity,[{"key","op","value"},…]}.`
	hostTerm     = `{id,"name",cpu,ram,[{"key","value"},…]}.`
	overheadTerm = `{seconds}.`
)

// erlangRequests has a request in each line, as an Erlang term, with times in seconds.
var erlangRequests = Format{
	Format: sniff.Format{Name: "erlang-requests", Brief: "the authors' format", What: "a workload of requests", For: sniff.Requests, Too: sniff.Tasks, Accept: requestTerm,
		Syntax: sniff.Terms, Fit: func(h *sniff.Head) int { return max(sniff.Mistaken, sniff.ScoreIf(80, termValues(h) > 6)) }},
	requests: func(name string, r io.Reader, _ func() (io.Reader, error)) (workload.Stream, error) {
		s := &requestLines{lines: csv.NewLines(name, r), columns: termColumns, expects: requestTerm}
		var term []value
		cells := make([]csv.Field, len(termColumns))
		s.split = func(line string) (_ []csv.Field, err error) {
			if term, err = parseTerm(line, len(cells)); err == nil {
				err = scalars(term[:8], termColumns)
			}
			if err != nil {
				return nil, s.lines.Wrong(err, requestTerm)
			}
			for i := range cells {
				cells[i] = term[i].Field
			}
			cells[8].Text = line[cells[8].At:] // with the end of the term, which is always the same
			return cells, nil
		}
		s.constraints = func(csv.Field) ([]cluster.Constraint, error) { return termConstraints(term[8]) }
		return s, nil
	},
}

var termColumns = []column{
	{"timestamp", rowSubmit, inSeconds, true}, {"task", rowID, plain, true}, {"job", rowJob, plain, true}, {"duration", rowRun, inSeconds, true},
	{"cpu", rowCPU, plain, true}, {"ram", rowMemory, plain, true}, {"priority", rowPriority, plain, true}, {"antiaffinity", rowApart, plain, true},
	{"constraints", rowConstraints, plain, true},
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

// termValues counts the values before the list in a term. A term with another number may be one
// with a mistake.
func termValues(h *sniff.Head) int {
	before, _, _ := strings.Cut(h.Line, "[")
	return strings.Count(before, ",")
}

var erlangOverheads = Format{
	Format: sniff.Format{Name: "erlang-overheads", Brief: "the authors' format", What: "a list of overheads", For: sniff.Overheads, Accept: overheadTerm, Syntax: sniff.Terms, Fit: func(h *sniff.Head) int {
		inner, begun := strings.CutPrefix(h.Line, "{")
		inner, ended := strings.CutSuffix(inner, "}.")
		_, number := show.ParseNumber(inner)
		return sniff.ScoreIf(80, begun && ended && number)
	}},
	overheads: readErlangOverheads,
}

// readErlangOverheads reads overheads, one Erlang term per line.
func readErlangOverheads(name string, r io.Reader) (all []sim.Milliseconds, err error) {
	lines := csv.NewLines(name, r)
	err = lines.Each(func(line string) error {
		var f values
		term, err := parseTerm(line, 1)
		if err == nil {
			err = scalars(term, []column{{name: "overhead"}})
		}
		if err == nil {
			all = append(all, f.Seconds(term[0].Field, "overhead"))
			err = f.Err
		}
		if err != nil {
			return lines.Wrong(err, overheadTerm)
		}
		return nil
	})
	return all, err
}

var erlangHosts = Format{
	Format: sniff.Format{Name: "erlang-hosts", Brief: "the authors' format", What: "a list of hosts", For: sniff.Hosts, Accept: hostTerm,
		Syntax: sniff.Terms, Fit: func(h *sniff.Head) int { return max(sniff.Mistaken, sniff.ScoreIf(80, termValues(h) == 4)) }},
	hosts: readErlangHosts,
}

var hostTermColumns = []column{{name: "id"}, {name: "name"}, {name: "cpu"}, {name: "ram"}}

// readErlangHosts reads hosts in the authors' format.
func readErlangHosts(name string, r io.Reader) ([]cluster.Host, []workload.HostEvent, error) {
	var hosts hostList
	lines := csv.NewLines(name, r)
	err := lines.Each(func(line string) error {
		host, nameAt, err := parseHost(line)
		if err != nil {
			return lines.Wrong(err, hostTerm)
		}
		if err := hosts.add(host, nameAt); err != nil {
			return lines.Wrong(err, "")
		}
		return nil
	})
	return hosts.all, nil, err
}

func parseHost(line string) (h cluster.Host, nameAt int32, err error) {
	term, err := parseTerm(line, 5)
	if err != nil {
		return h, 0, err
	}
	if err := scalars(term[:4], hostTermColumns); err != nil {
		return h, 0, err
	}
	var f values
	cpu, ram := term[2].Field, term[3].Field
	h = cluster.Host{Name: term[1].Text, CPU: f.Amount(cpu, "cpu"), Memory: f.Amount(ram, "ram")}
	f.Capacity(&h, cpu, ram, "cpu and ram")
	if !term[4].compound {
		return h, 0, csv.FaultAt(term[4].At, attributesNoList, term[4].Text)
	}
	for _, a := range term[4].items {
		if len(a.items) != 2 {
			return h, 0, csv.FaultAt(a.At, attributeFields, show.Count(len(a.items), "field"))
		}
		h.Attributes = append(h.Attributes, cluster.Attribute{Key: a.items[0].Text, Value: a.items[1].Text})
	}
	h.Attributes = cluster.SortAttributes(h.Attributes)
	return h, term[1].At, f.Err
}

// value is a scalar, or a tuple or list with its items.
type value struct {
	csv.Field
	compound bool
	items    []value
}

// scalars returns an error about the first of the named items of a term that is not a
// scalar.
func scalars(term []value, columns []column) error {
	for i := range term {
		if term[i].compound {
			return csv.FaultAt(term[i].At, notSingle, columns[i].name)
		}
	}
	return nil
}

// termParser parses an Erlang term of tuples, lists, numbers, atoms and strings.
type termParser struct {
	line string
	rest string // unparsed rest of the line
}

// maxDepth limits the nesting of tuples and lists.
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
