package workload

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"berth/engine/cluster"
)

// requestTerm and hostTerm are what the readers of Erlang terms expect.
const (
	requestTerm = `{timestamp,task,job,duration,cpu,ram,priority,antiaffinity,[{"key","op","value"},…]}.`
	hostTerm    = `{id,"name",cpu,ram,[{"key","value"},…]}.`
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
			return n, e.lines.errorf("%v; expected %s", err, requestTerm)
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
	p := termParser{rest: line}
	term, err := p.term()
	if err != nil {
		return err
	}
	if len(term) != 9 {
		return fmt.Errorf("the term has %d fields, not 9", len(term))
	}
	var f fieldReader
	*r = Request{
		Submit: f.seconds(term[0], "timestamp"), ID: f.scalar(term[1], "task"),
		Job: e.jobs.number(f.scalar(term[2], "job")), Duration: f.seconds(term[3], "duration"),
		CPU: f.amount(term[4], "cpu"), Memory: f.amount(term[5], "ram"),
		Priority: f.priority(term[6]), AntiAffinity: f.flag(term[7], "antiaffinity"), Line: e.lines.number,
	}
	if f.err == nil {
		r.Constraints, f.err = e.constraints(term[8])
	}
	if f.err == nil {
		f.err = r.Check()
	}
	return f.err
}

func (e *ErlangRequests) constraints(v value) ([]cluster.Constraint, error) {
	if !v.compound {
		return nil, fmt.Errorf("the constraints are %q, not a list", v.text)
	}
	if len(v.items) == 0 {
		return nil, nil
	}
	all := make([]cluster.Constraint, 0, len(v.items))
	var key strings.Builder
	for _, item := range v.items {
		if len(item.items) != 3 {
			return nil, fmt.Errorf("a constraint has %d fields, not 3", len(item.items))
		}
		op, ok := cluster.ParseOperator(item.items[1].text)
		if !ok {
			return nil, unknownOperator(item.items[1].text)
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
	return fmt.Errorf("unknown operator %q in a constraint; known: = ≠ < >", text)
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
		host, err := parseHost(line)
		if err != nil {
			return nil, lines.errorf("%v; expected %s", err, hostTerm)
		}
		if err := hosts.add(host); err != nil {
			return nil, lines.errorf("%v", err)
		}
	}
}

func parseHost(line string) (cluster.Host, error) {
	p := termParser{rest: line}
	term, err := p.term()
	if err != nil {
		return cluster.Host{}, err
	}
	if len(term) != 5 {
		return cluster.Host{}, fmt.Errorf("the term has %d fields, not 5", len(term))
	}
	var f fieldReader
	h := cluster.Host{
		Name: f.scalar(term[1], "name"),
		CPU:  f.amount(term[2], "cpu"), Memory: f.amount(term[3], "ram"),
	}
	if !term[4].compound {
		return cluster.Host{}, fmt.Errorf("the attributes are %q, not a list", term[4].text)
	}
	for _, a := range term[4].items {
		if len(a.items) != 2 {
			return cluster.Host{}, fmt.Errorf("an attribute has %d fields, not 2", len(a.items))
		}
		h.Attributes = append(h.Attributes, cluster.Attribute{Key: a.items[0].text, Value: a.items[1].text})
	}
	h.Attributes = cluster.SortAttributes(h.Attributes)
	if f.err == nil && (h.CPU == 0 || h.Memory == 0) {
		f.err = fmt.Errorf("a host needs cpu and ram")
	}
	return h, f.err
}

// fieldReader turns texts into values and keeps the first error.
type fieldReader struct{ err error }

func (f *fieldReader) fail(field string, err error) {
	if f.err == nil && err != nil {
		f.err = fmt.Errorf("%s: %w", field, err)
	}
}

func (f *fieldReader) scalar(v value, field string) string {
	if v.compound {
		f.fail(field, fmt.Errorf("a list or tuple, not a single value"))
	}
	return v.text
}

func (f *fieldReader) seconds(v value, field string) int64 {
	t, err := parseSeconds(f.scalar(v, field))
	f.fail(field, err)
	return t
}

func (f *fieldReader) amount(v value, field string) cluster.Amount {
	a, err := cluster.ParseAmount(f.scalar(v, field))
	f.fail(field, err)
	return a
}

func (f *fieldReader) flag(v value, field string) bool {
	switch f.scalar(v, field) {
	case "0", "false", "":
		return false
	case "1", "true":
		return true
	}
	f.fail(field, fmt.Errorf("%q is neither 0 nor 1", v.text))
	return false
}

func (f *fieldReader) priority(v value) int {
	n, err := strconv.Atoi(f.scalar(v, "priority"))
	if err != nil || n < 0 || n > 1<<20 {
		f.fail("priority", fmt.Errorf("%q is not a whole number from 0", v.text))
	}
	return n
}

// value is a scalar with its text, or a tuple or list with its items.
type value struct {
	text     string
	items    []value
	compound bool
}

// termParser reads one Erlang term made of tuples, lists, numbers, atoms and
// strings.
type termParser struct{ rest string }

// maxDepth is how deep tuples and lists may be nested.
const maxDepth = 8

// term reads a tuple with the full stop after it.
func (p *termParser) term() ([]value, error) {
	v, err := p.value(0)
	if err != nil {
		return nil, err
	}
	if !v.compound {
		return nil, fmt.Errorf("%q is not a tuple", v.text)
	}
	p.space()
	if p.rest != "." {
		return nil, fmt.Errorf("expected a full stop at the end, not %q", short(p.rest))
	}
	return v.items, nil
}

func (p *termParser) space() { p.rest = strings.TrimLeft(p.rest, " \t") }

func (p *termParser) value(depth int) (value, error) {
	p.space()
	switch {
	case p.rest == "":
		return value{}, fmt.Errorf("the term ends too early")
	case depth == maxDepth:
		return value{}, fmt.Errorf("the term is nested more than %d deep", maxDepth)
	case p.rest[0] == '{':
		return p.items('}', depth)
	case p.rest[0] == '[':
		return p.items(']', depth)
	case p.rest[0] == '"':
		return p.quoted()
	}
	end := strings.IndexAny(p.rest, ",}] \t")
	if end <= 0 {
		return value{}, fmt.Errorf("expected a value, not %q", short(p.rest))
	}
	v := value{text: p.rest[:end]}
	p.rest = p.rest[end:]
	return v, nil
}

func (p *termParser) items(closing byte, depth int) (value, error) {
	v := value{compound: true}
	p.rest = p.rest[1:]
	if p.space(); strings.HasPrefix(p.rest, string(closing)) {
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
			return value{}, fmt.Errorf("%q is missing", closing)
		}
		next := p.rest[0]
		p.rest = p.rest[1:]
		switch next {
		case closing:
			return v, nil
		case ',':
		default:
			return value{}, fmt.Errorf("expected ',' or %q, not %q", closing, next)
		}
	}
}

func (p *termParser) quoted() (value, error) {
	var b strings.Builder
	for i := 1; i < len(p.rest); i++ {
		switch c := p.rest[i]; {
		case c == '"':
			p.rest = p.rest[i+1:]
			return value{text: b.String()}, nil
		case c == '\\' && i+1 < len(p.rest):
			i++
			b.WriteByte(p.rest[i])
		default:
			b.WriteByte(c)
		}
	}
	return value{}, fmt.Errorf("a string does not end")
}

func short(text string) string {
	if len(text) > 20 {
		return strings.ToValidUTF8(text[:20], "") + "…"
	}
	return text
}
