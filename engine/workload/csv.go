package workload

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"berth/engine/cluster"
	"berth/engine/format/sniff"
	"berth/engine/show"
	"berth/engine/sim"
)

// CSVRequests reads requests from CSV with the header
// id,job,submit_s,duration_s,cpu,memory,class,anti_affinity,constraints,user,gpus.
// The columns may have any order; job, anti_affinity, constraints, user and gpus may
// be left out: a request without a job is one of its own. Constraints are
// separated by semicolons: os=linux;disks>2.
type CSVRequests struct {
	lines  *lines
	column map[string]int
	fields []field
	jobs   jobs
	sets   map[string][]cluster.Constraint
}

var (
	requestColumns  = strings.Split(sniff.RequestColumns, ",")
	requiredColumns = []string{"id", "submit_s", "duration_s", "cpu", "memory", "class"}
)

// NewCSVRequests reads the header and returns a reader.
func NewCSVRequests(name string, r io.Reader) (*CSVRequests, error) {
	c := &CSVRequests{lines: newLines(name, r), jobs: jobs{}, sets: map[string][]cluster.Constraint{}}
	var err error
	c.column, err = c.lines.header(requestColumns, requiredColumns)
	return c, err
}

// header reads the names of the columns.
func (l *lines) header(known, required []string) (map[string]int, error) {
	line, err := l.next()
	if err == io.EOF {
		l.number = max(l.number, 1)
		return nil, l.errorf("the file is empty; expected the header %s", strings.Join(known, ","))
	}
	if err != nil {
		return nil, err
	}
	names, err := l.fields(line, nil)
	if err != nil {
		return nil, err
	}
	column := map[string]int{}
	for i, name := range names {
		if !slices.Contains(known, name.text) {
			return nil, l.wrong(faultf(name.at, "unknown column %.40q; known: %s", name.text, strings.Join(known, ",")), "")
		}
		if _, again := column[name.text]; again {
			return nil, l.wrong(faultf(name.at, "the column %s is given twice", name.text), "")
		}
		column[name.text] = i
	}
	for _, name := range required {
		if _, ok := column[name]; !ok {
			return nil, l.wrong(faultf(int32(len(line)), "the column %s is missing", name), "the header "+strings.Join(known, ","))
		}
	}
	return column, nil
}

// Read implements [Source].
func (c *CSVRequests) Read(buffer []Request) (int, error) {
	for n := range buffer {
		line, err := c.lines.next()
		if err != nil {
			return partial(n, err)
		}
		if err := c.parse(line, &buffer[n]); err != nil {
			return n, err
		}
	}
	return len(buffer), nil
}

func (c *CSVRequests) parse(line string, r *Request) (err error) {
	c.fields, err = c.lines.fields(line, c.fields)
	if err != nil {
		return err
	}
	if len(c.fields) != len(c.column) {
		return c.lines.wrong(miscount(line, c.fields, len(c.column), fmt.Sprintf("the header %d", len(c.column))), "")
	}
	get := func(name string) field {
		if i, ok := c.column[name]; ok {
			return c.fields[i]
		}
		return field{}
	}
	var f fieldReader
	class, duration, cpu, memory := get("class"), get("duration_s"), get("cpu"), get("memory")
	*r = Request{
		ID: get("id").text, User: get("user").text, Job: c.job(get("job").text),
		Submit: f.seconds(get("submit_s"), "submit_s"), Duration: f.seconds(duration, "duration_s"),
		CPU: f.amount(cpu, "cpu"), Memory: f.amount(memory, "memory"),
		Class: class.text, Priority: NoPriority, AntiAffinity: f.flag(get("anti_affinity"), "anti_affinity"),
		Line: c.lines.number, Column: c.lines.column(class.at),
	}
	f.gpus(get("gpus"), r)
	if r.Class == "" {
		f.fail(class, "class", errors.New("a name is missing"))
	}
	if f.err == nil {
		r.Constraints, f.err = c.constraints(get("constraints"))
	}
	f.check(r, cpu, memory, duration)
	if f.err != nil {
		return c.lines.wrong(f.err, "")
	}
	return nil
}

func (c *CSVRequests) job(name string) int64 {
	if name == "" {
		return math.MinInt64 + int64(c.lines.number)
	}
	return c.jobs.number(name)
}

func (c *CSVRequests) constraints(v field) ([]cluster.Constraint, error) {
	if v.text == "" {
		return nil, nil
	}
	if known, ok := c.sets[v.text]; ok {
		return known, nil
	}
	var all []cluster.Constraint
	at := v.at
	for part := range strings.SplitSeq(v.text, ";") {
		one, err := ParseConstraint(strings.TrimSpace(part))
		if err != nil {
			return nil, faultf(at, "constraints: %w", err)
		}
		all = append(all, one)
		at += int32(len(part) + 1)
	}
	c.sets[strings.Clone(v.text)] = all
	return all, nil
}

// ParseConstraint reads key, operator and value, such as disks>2.
func ParseConstraint(text string) (cluster.Constraint, error) {
	start := strings.IndexAny(text, "=≠!<>/∈")
	if start <= 0 {
		return cluster.Constraint{}, fmt.Errorf("%.40q is not a key, an operator (= ≠ < >) and a value", text)
	}
	rest := text[start:]
	end := start + len(rest) - len(strings.TrimLeft(rest, "=≠!<>/∈"))
	op, ok := cluster.ParseOperator(text[start:end])
	if !ok {
		return cluster.Constraint{}, unknownOperator(text[start:end])
	}
	return cluster.Constraint{Key: strings.TrimSpace(text[:start]), Op: op, Value: strings.TrimSpace(text[end:])}, nil
}

// BrokerRequests reads the CSV without a header that the authors' broker for
// Kubernetes reads: 12 fields a line, times in seconds.
type BrokerRequests struct {
	lines  *lines
	fields []field
	jobs   jobs
}

// NewBrokerRequests returns a reader; the name of the file is for messages.
func NewBrokerRequests(name string, r io.Reader) *BrokerRequests {
	return &BrokerRequests{lines: newLines(name, r), jobs: jobs{}}
}

// Read implements [Source].
func (b *BrokerRequests) Read(buffer []Request) (int, error) {
	for n := range buffer {
		line, err := b.lines.next()
		if err != nil {
			return partial(n, err)
		}
		b.fields, err = b.lines.fields(line, b.fields)
		if err != nil {
			return n, err
		}
		if err := b.parse(line, &buffer[n]); err != nil {
			return n, b.lines.wrong(err, sniff.BrokerFields)
		}
	}
	return len(buffer), nil
}

func (b *BrokerRequests) parse(line string, r *Request) error {
	if len(b.fields) != 12 {
		return miscount(line, b.fields, 12, "not 12")
	}
	var f fieldReader
	duration, cpu, ram, class := b.fields[6], b.fields[8], b.fields[9], b.fields[10]
	*r = Request{
		Submit: f.seconds(b.fields[0], "time"), ID: b.fields[1].text, Job: b.jobs.number(b.fields[2].text), User: b.fields[3].text,
		AntiAffinity: f.flag(b.fields[4], "anti_affinity"), Priority: f.priority(b.fields[5]),
		Duration: f.seconds(duration, "duration"),
		CPU:      f.amount(cpu, "cpu"), Memory: f.amount(ram, "ram"), Class: class.text,
		Line: b.lines.number, Column: b.lines.column(class.at),
	}
	var err error
	r.SLO, err = parseSLO(b.fields[11].text)
	f.fail(b.fields[11], "slo", err)
	f.check(r, cpu, ram, duration)
	return f.err
}

func parseSLO(text string) (float64, error) {
	slo, ok := show.ParseNumber(text)
	if !ok || !(slo > 0 && slo <= 1) {
		return 0, fmt.Errorf("%.40q is not a number above 0 and up to 1", text)
	}
	return slo, nil
}

// Overheads reads a set of allocation overheads in seconds: CSV with the one column
// overhead_s, or one Erlang term a line as the authors wrote them.
func Overheads(name string, r io.Reader) ([]sim.Milliseconds, error) {
	in := bufio.NewReader(r)
	if begin, _ := in.Peek(64); bytes.HasPrefix(bytes.TrimLeft(bytes.TrimPrefix(begin, []byte("\ufeff")), " \t\r\n"), []byte("{")) {
		return erlangOverheads(newLines(name, in))
	}
	lines := newLines(name, in)
	if _, err := lines.header([]string{sniff.OverheadColumn}, []string{sniff.OverheadColumn}); err != nil {
		return nil, err
	}
	var all []sim.Milliseconds
	err := lines.records(1, func(fields []field) error {
		var f fieldReader
		all = append(all, f.seconds(fields[0], "overhead_s"))
		return f.err
	})
	switch {
	case err != nil:
		return nil, err
	case len(all) == 0:
		return nil, lines.errorf("the set of overheads is empty; expected at least one number of seconds below overhead_s")
	}
	return all, nil
}

// CSVHosts reads hosts from CSV with the header name,cpu,memory,attributes,gpus;
// attributes and gpus may be left out. Attributes are separated by semicolons: os=linux.
func CSVHosts(name string, r io.Reader) ([]cluster.Host, error) {
	lines := newLines(name, r)
	column, err := lines.header(strings.Split(sniff.HostColumns, ","), []string{"name", "cpu", "memory"})
	if err != nil {
		return nil, err
	}
	var hosts hostList
	err = lines.records(len(column), func(fields []field) error {
		host, err := csvHost(fields, column)
		if err != nil {
			return err
		}
		return hosts.add(host, fields[column["name"]].at)
	})
	if err != nil {
		return nil, err
	}
	return hosts.all, nil
}

func csvHost(fields []field, column map[string]int) (cluster.Host, error) {
	var f fieldReader
	name, cpu, memory := fields[column["name"]], fields[column["cpu"]], fields[column["memory"]]
	h := cluster.Host{Name: name.text, CPU: f.amount(cpu, "cpu"), Memory: f.amount(memory, "memory")}
	f.capacity(&h, cpu, memory, "cpu and memory")
	if i, ok := column["gpus"]; ok {
		h.GPUs = f.devices(fields[i], "gpus")
	}
	if i, ok := column["attributes"]; ok && fields[i].text != "" {
		at := fields[i].at
		for part := range strings.SplitSeq(fields[i].text, ";") {
			key, value, ok := strings.Cut(part, "=")
			if !ok {
				return h, faultf(at, "attributes: %.40q is not key=value", part)
			}
			h.Attributes = append(h.Attributes, cluster.Attribute{Key: strings.TrimSpace(key), Value: strings.TrimSpace(value)})
			at += int32(len(part) + 1)
		}
		h.Attributes = cluster.SortAttributes(h.Attributes)
	}
	return h, f.err
}
