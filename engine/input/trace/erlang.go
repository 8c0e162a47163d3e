package trace

import (
	"fmt"
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

// ErlangRequests reads requests in the format of the authors of the QoS-driven
// scheduler: one Erlang term per line, times in seconds.
func ErlangRequests(name string, r io.Reader) (workload.Stream, error) {
	e := &erlangRequests{csv.NewLines(name, r), workload.JobNumbers{}, map[string][]cluster.Constraint{}}
	return workload.Lined{Lines: e.lines, Parse: func(line string, r *workload.Request) error {
		if err := e.parse(line, r); err != nil {
			return e.lines.Wrong(err, sniff.RequestTerm)
		}
		return nil
	}}, nil
}

type erlangRequests struct {
	lines *csv.Lines
	jobs  workload.JobNumbers
	sets  map[string][]cluster.Constraint
}

func (e *erlangRequests) parse(line string, r *workload.Request) error {
	term, err := parseTerm(line, 9)
	if err != nil {
		return err
	}
	if err := scalars(term[:8], "timestamp", "task", "job", "duration", "cpu", "ram", "priority", "antiaffinity"); err != nil {
		return err
	}
	var f values
	duration, cpu, ram, priority := term[3].Field, term[4].Field, term[5].Field, term[6].Field
	*r = workload.Request{
		Submit: f.Seconds(term[0].Field, "timestamp"), ID: term[1].Text,
		Job: e.jobs.Of(term[2].Text), Duration: f.Seconds(duration, "duration"),
		CPU: f.Amount(cpu, "cpu"), Memory: f.Amount(ram, "ram"),
		Priority: f.Priority(priority), AntiAffinity: f.Flag(term[7].Field, "antiaffinity"),
		Line: e.lines.Number, Column: e.lines.Column(priority.At),
	}
	if f.Err == nil {
		r.Constraints, f.Err = e.constraints(term[8])
	}
	f.Check(r, cpu, ram, duration)
	return f.Err
}

func (e *erlangRequests) constraints(v value) ([]cluster.Constraint, error) {
	if !v.compound {
		return nil, csv.FaultAt(v.At, constraintsNoList, v.Text)
	}
	if len(v.items) == 0 {
		return nil, nil
	}
	all := make([]cluster.Constraint, 0, len(v.items))
	var key strings.Builder
	for _, item := range v.items {
		if len(item.items) != 3 {
			return nil, csv.FaultAt(item.At, constraintFields, show.Count(len(item.items), "field"))
		}
		op, ok := cluster.ParseOperator(item.items[1].Text)
		if !ok {
			return nil, item.items[1].Fault(workload.UnknownOperator(item.items[1].Text))
		}
		c := cluster.Constraint{Key: item.items[0].Text, Op: op, Value: item.items[2].Text}
		all = append(all, c)
		fmt.Fprintf(&key, "%q", c.String())
	}
	if known, ok := e.sets[key.String()]; ok {
		return known, nil
	}
	e.sets[key.String()] = all
	return all, nil
}

// erlangOverheads reads overheads, one Erlang term per line.
func erlangOverheads(name string, r io.Reader) (all []sim.Milliseconds, err error) {
	lines := csv.NewLines(name, r)
	err = lines.Each(func(line string) error {
		var f values
		term, err := parseTerm(line, 1)
		if err == nil {
			err = scalars(term, "overhead")
		}
		if err == nil {
			all = append(all, f.Seconds(term[0].Field, "overhead"))
			err = f.Err
		}
		if err != nil {
			return lines.Wrong(err, sniff.OverheadTerm)
		}
		return nil
	})
	return all, err
}

// erlangHosts reads hosts in the authors' format.
func erlangHosts(name string, r io.Reader) ([]cluster.Host, []workload.HostEvent, error) {
	var hosts workload.HostList
	lines := csv.NewLines(name, r)
	err := lines.Each(func(line string) error {
		host, nameAt, err := parseHost(line)
		if err != nil {
			return lines.Wrong(err, sniff.HostTerm)
		}
		if err := hosts.Add(host, nameAt); err != nil {
			return lines.Wrong(err, "")
		}
		return nil
	})
	return hosts.All, nil, err
}

func parseHost(line string) (h cluster.Host, nameAt int32, err error) {
	term, err := parseTerm(line, 5)
	if err != nil {
		return h, 0, err
	}
	if err := scalars(term[:4], "id", "name", "cpu", "ram"); err != nil {
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
func scalars(term []value, names ...string) error {
	for i, name := range names {
		if term[i].compound {
			return csv.FaultAt(term[i].At, notSingle, name)
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
