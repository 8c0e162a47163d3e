package workload

import (
	"fmt"
	"io"
	"strings"

	"berth/engine/cluster"
	"berth/engine/format/sniff"
	"berth/engine/show"
	"berth/engine/sim"
)

// ErlangRequests reads requests in the format of the authors of the QoS-driven
// scheduler: one Erlang term a line, times in seconds.
type ErlangRequests struct {
	lines *lines
	jobs  jobs
	sets  map[string][]cluster.Constraint
}

// NewErlangRequests returns a reader; the name of the file is for messages.
func NewErlangRequests(name string, r io.Reader) *ErlangRequests {
	return &ErlangRequests{newLines(name, r), jobs{}, map[string][]cluster.Constraint{}}
}

// Read implements [Source].
func (e *ErlangRequests) Read(buffer []Request) (int, error) {
	for n := range buffer {
		line, err := e.lines.next()
		if err != nil {
			return partial(n, err)
		}
		if err := e.parse(line, &buffer[n]); err != nil {
			return n, e.lines.wrong(err, sniff.RequestTerm)
		}
	}
	return len(buffer), nil
}

// partial keeps io.EOF back while there are requests to hand out.
func partial(n int, err error) (int, error) {
	if n > 0 && err == io.EOF {
		return n, nil
	}
	return n, err
}

func (e *ErlangRequests) parse(line string, r *Request) error {
	term, err := parseTerm(line, 9)
	if err != nil {
		return err
	}
	if err := scalars(term[:8], "timestamp", "task", "job", "duration", "cpu", "ram", "priority", "antiaffinity"); err != nil {
		return err
	}
	var f fieldReader
	duration, cpu, ram, priority := term[3].field, term[4].field, term[5].field, term[6].field
	*r = Request{
		Submit: f.seconds(term[0].field, "timestamp"), ID: term[1].text,
		Job: e.jobs.number(term[2].text), Duration: f.seconds(duration, "duration"),
		CPU: f.amount(cpu, "cpu"), Memory: f.amount(ram, "ram"),
		Priority: f.priority(priority), AntiAffinity: f.flag(term[7].field, "antiaffinity"),
		Line: e.lines.number, Column: e.lines.column(priority.at),
	}
	if f.err == nil {
		r.Constraints, f.err = e.constraints(term[8])
	}
	f.check(r, cpu, ram, duration)
	return f.err
}

func (e *ErlangRequests) constraints(v value) ([]cluster.Constraint, error) {
	if !v.compound {
		return nil, faultf(v.at, "the constraints are %.40q, not a list", v.text)
	}
	if len(v.items) == 0 {
		return nil, nil
	}
	all := make([]cluster.Constraint, 0, len(v.items))
	var key strings.Builder
	for _, item := range v.items {
		if len(item.items) != 3 {
			return nil, faultf(item.at, "a constraint has %s, not 3", show.Count(len(item.items), "field"))
		}
		op, ok := cluster.ParseOperator(item.items[1].text)
		if !ok {
			return nil, &fault{item.items[1].at, unknownOperator(item.items[1].text)}
		}
		c := cluster.Constraint{Key: item.items[0].text, Op: op, Value: item.items[2].text}
		all = append(all, c)
		fmt.Fprintf(&key, "%q", c.String())
	}
	if known, ok := e.sets[key.String()]; ok {
		return known, nil
	}
	e.sets[key.String()] = all
	return all, nil
}

func unknownOperator(text string) error {
	return fmt.Errorf("unknown operator %.40q in a constraint; known: = ≠ < >", text)
}

// erlangOverheads reads overheads that begin with a term.
func erlangOverheads(lines *lines) (all []sim.Milliseconds, err error) {
	for {
		line, err := lines.next()
		if err == io.EOF {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
		var f fieldReader
		term, err := parseTerm(line, 1)
		if err == nil {
			err = scalars(term, "overhead")
		}
		if err == nil {
			all = append(all, f.seconds(term[0].field, "overhead"))
			err = f.err
		}
		if err != nil {
			return nil, lines.wrong(err, sniff.OverheadTerm)
		}
	}
}

// ErlangHosts reads hosts in the authors' format.
func ErlangHosts(name string, r io.Reader) ([]cluster.Host, error) {
	lines := newLines(name, r)
	var hosts hostList
	for {
		line, err := lines.next()
		if err == io.EOF {
			return hosts.all, nil
		}
		if err != nil {
			return nil, err
		}
		host, nameAt, err := parseHost(line)
		if err != nil {
			return nil, lines.wrong(err, sniff.HostTerm)
		}
		if err := hosts.add(host, nameAt); err != nil {
			return nil, lines.wrong(err, "")
		}
	}
}

func parseHost(line string) (h cluster.Host, nameAt int32, err error) {
	term, err := parseTerm(line, 5)
	if err != nil {
		return h, 0, err
	}
	if err := scalars(term[:4], "id", "name", "cpu", "ram"); err != nil {
		return h, 0, err
	}
	var f fieldReader
	cpu, ram := term[2].field, term[3].field
	h = cluster.Host{Name: term[1].text, CPU: f.amount(cpu, "cpu"), Memory: f.amount(ram, "ram")}
	f.capacity(&h, cpu, ram, "cpu and ram")
	if !term[4].compound {
		return h, 0, faultf(term[4].at, "the attributes are %.40q, not a list", term[4].text)
	}
	for _, a := range term[4].items {
		if len(a.items) != 2 {
			return h, 0, faultf(a.at, "an attribute has %s, not 2", show.Count(len(a.items), "field"))
		}
		h.Attributes = append(h.Attributes, cluster.Attribute{Key: a.items[0].text, Value: a.items[1].text})
	}
	h.Attributes = cluster.SortAttributes(h.Attributes)
	return h, term[1].at, f.err
}

// value is a scalar, or a tuple or list with its items.
type value struct {
	field
	compound bool
	items    []value
}

// scalars says which of the first items of a term, with these names, is none.
func scalars(term []value, names ...string) error {
	for i, name := range names {
		if term[i].compound {
			return faultf(term[i].at, "%s: a list or tuple, not a single value", name)
		}
	}
	return nil
}

// termParser reads one Erlang term made of tuples, lists, numbers, atoms and
// strings.
type termParser struct {
	line string
	rest string // of the line
}

// maxDepth is how deep tuples and lists may be nested.
const maxDepth = 8

// parseTerm reads a line with a tuple of so many items and a full stop.
func parseTerm(line string, items int) ([]value, error) {
	p := termParser{line: line, rest: line}
	v, err := p.value(0)
	if err != nil {
		return nil, err
	}
	if !v.compound {
		return nil, faultf(v.at, "%.40q is not a tuple", v.text)
	}
	p.space()
	switch p.rest {
	case ".":
	case "":
		return nil, p.errorf("the full stop at the end is missing")
	default:
		return nil, p.errorf("expected a full stop at the end, not %q", short(p.rest))
	}
	if len(v.items) != items {
		return nil, faultf(v.at, "the term has %s, not %d", show.Count(len(v.items), "field"), items)
	}
	return v.items, nil
}

func (p *termParser) space() { p.rest = strings.TrimLeft(p.rest, " \t") }

func (p *termParser) at() int32 { return int32(len(p.line) - len(p.rest)) }

func (p *termParser) errorf(format string, args ...any) error {
	return faultf(p.at(), format, args...)
}

func (p *termParser) value(depth int) (value, error) {
	p.space()
	switch {
	case p.rest == "":
		return value{}, p.errorf("the term ends too early")
	case depth == maxDepth:
		return value{}, p.errorf("the term is nested more than %d deep", maxDepth)
	case p.rest[0] == '{':
		return p.items('}', depth)
	case p.rest[0] == '[':
		return p.items(']', depth)
	case p.rest[0] == '"':
		return p.quoted()
	}
	end := strings.IndexAny(p.rest, ",}] \t")
	if end <= 0 {
		return value{}, p.errorf("expected a value, not %q", short(p.rest))
	}
	v := value{field: field{p.rest[:end], p.at()}}
	p.rest = p.rest[end:]
	return v, nil
}

func (p *termParser) items(closing byte, depth int) (value, error) {
	v := value{field: field{at: p.at()}, compound: true}
	p.rest = p.rest[1:]
	p.space()
	if strings.HasPrefix(p.rest, string(closing)) {
		p.rest = p.rest[1:]
		return v, nil
	}
	for {
		item, err := p.value(depth + 1)
		if err != nil {
			return value{}, err
		}
		v.items = append(v.items, item)
		p.space()
		if p.rest == "" {
			return value{}, p.errorf("%q is missing", closing)
		}
		next := p.rest[0]
		if next != closing && next != ',' {
			return value{}, p.errorf("expected ',' or %q, not %q", closing, short(p.rest))
		}
		p.rest = p.rest[1:]
		if next == closing {
			return v, nil
		}
	}
}

func (p *termParser) quoted() (value, error) {
	v := value{field: field{at: p.at()}}
	var b strings.Builder
	for i := 1; i < len(p.rest); i++ {
		switch c := p.rest[i]; {
		case c == '"':
			p.rest = p.rest[i+1:]
			v.text = b.String()
			return v, nil
		case c == '\\' && i+1 < len(p.rest):
			i++
			b.WriteByte(p.rest[i])
		default:
			b.WriteByte(c)
		}
	}
	return value{}, faultf(v.at, "a string does not end")
}

func short(text string) string {
	if len(text) > 20 {
		return strings.ToValidUTF8(text[:20], "") + "…"
	}
	return text
}
