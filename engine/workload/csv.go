package workload

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"berth/engine/cluster"
)

// CSVRequests reads requests from CSV with the header
// id,job,submit_s,duration_s,cpu,memory,class,anti_affinity,constraints. The
// columns may have any order; job, anti_affinity and constraints may be left
// out: a request without a job is one of its own. Constraints are separated by
// semicolons: os=linux;disks>2.
type CSVRequests struct {
	lines  *lines
	column map[string]int
	fields []string
	jobs   jobs
	sets   map[string][]cluster.Constraint
}

var (
	requestColumns  = []string{"id", "job", "submit_s", "duration_s", "cpu", "memory", "class", "anti_affinity", "constraints"}
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
		if !slices.Contains(known, name) {
			return nil, l.errorf("unknown column %q; known: %s", name, strings.Join(known, ","))
		}
		if _, again := column[name]; again {
			return nil, l.errorf("the column %s is there twice", name)
		}
		column[name] = i
	}
	for _, name := range required {
		if _, ok := column[name]; !ok {
			return nil, l.errorf("the column %s is missing; expected the header %s", name, strings.Join(known, ","))
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
	if c.fields, err = c.lines.fields(line, c.fields); err != nil {
		return err
	}
	if len(c.fields) != len(c.column) {
		return c.lines.errorf("the line has %d fields, the header %d", len(c.fields), len(c.column))
	}
	get := func(name string) value {
		if i, ok := c.column[name]; ok {
			return value{text: c.fields[i]}
		}
		return value{}
	}
	var f fieldReader
	*r = Request{
		ID: get("id").text, Job: c.job(get("job").text),
		Submit: f.seconds(get("submit_s"), "submit_s"), Duration: f.seconds(get("duration_s"), "duration_s"),
		CPU: f.amount(get("cpu"), "cpu"), Memory: f.amount(get("memory"), "memory"),
		Class: get("class").text, Priority: NoPriority, AntiAffinity: f.flag(get("anti_affinity"), "anti_affinity"),
		Line: c.lines.number,
	}
	if f.err == nil && r.Class == "" {
		f.err = fmt.Errorf("class: a name is missing")
	}
	if f.err == nil {
		r.Constraints, f.err = c.constraints(get("constraints").text)
	}
	if f.err == nil {
		f.err = r.Check()
	}
	if f.err != nil {
		return c.lines.errorf("%v", f.err)
	}
	return nil
}

func (c *CSVRequests) job(name string) int64 {
	if name == "" {
		return math.MinInt64 + int64(c.lines.number)
	}
	return c.jobs.number(name)
}

func (c *CSVRequests) constraints(text string) ([]cluster.Constraint, error) {
	if text == "" {
		return nil, nil
	}
	if known, ok := c.sets[text]; ok {
		return known, nil
	}
	var all []cluster.Constraint
	for part := range strings.SplitSeq(text, ";") {
		one, err := parseConstraint(strings.TrimSpace(part))
		if err != nil {
			return nil, fmt.Errorf("constraints: %w", err)
		}
		all = append(all, one)
	}
	c.sets[strings.Clone(text)] = all
	return all, nil
}

// parseConstraint reads key, operator and value, such as disks>2.
func parseConstraint(text string) (cluster.Constraint, error) {
	start := strings.IndexAny(text, "=≠!<>/")
	if start <= 0 {
		return cluster.Constraint{}, fmt.Errorf("%q is not a key, an operator (= ≠ < >) and a value", text)
	}
	rest := text[start:]
	end := start + len(rest) - len(strings.TrimLeft(rest, "=≠!<>/"))
	op, ok := cluster.ParseOperator(text[start:end])
	if !ok {
		return cluster.Constraint{}, unknownOperator(text[start:end])
	}
	return cluster.Constraint{Key: strings.TrimSpace(text[:start]), Op: op, Value: strings.TrimSpace(text[end:])}, nil
}

// brokerFields are the fields of the authors' broker.
const brokerFields = "time,task,job,user,anti_affinity,priority,duration,-1,cpu,ram,class,slo"

// BrokerRequests reads the CSV without a header that the authors' broker for
// Kubernetes reads: 12 fields a line, times in seconds.
type BrokerRequests struct {
	lines  *lines
	fields []string
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
		if b.fields, err = b.lines.fields(line, b.fields); err != nil {
			return n, err
		}
		if err := b.parse(&buffer[n]); err != nil {
			return n, b.lines.errorf("%v; expected %s", err, brokerFields)
		}
	}
	return len(buffer), nil
}

func (b *BrokerRequests) parse(r *Request) error {
	if len(b.fields) != 12 {
		return fmt.Errorf("the line has %d fields, not 12", len(b.fields))
	}
	field := func(i int) value { return value{text: b.fields[i]} }
	var f fieldReader
	*r = Request{
		Submit: f.seconds(field(0), "time"), ID: b.fields[1], Job: b.jobs.number(b.fields[2]),
		AntiAffinity: f.flag(field(4), "anti_affinity"), Priority: f.priority(field(5)),
		Duration: f.seconds(field(6), "duration"),
		CPU:      f.amount(field(8), "cpu"), Memory: f.amount(field(9), "ram"), Class: b.fields[10],
		Line: b.lines.number,
	}
	if f.err == nil {
		var err error
		r.SLO, err = parseSLO(b.fields[11])
		f.fail("slo", err)
	}
	if f.err == nil {
		f.err = r.Check()
	}
	return f.err
}

func parseSLO(text string) (float64, error) {
	slo, err := strconv.ParseFloat(text, 64)
	if err != nil || !(slo > 0 && slo <= 1) {
		return 0, fmt.Errorf("%q is not a number above 0 and up to 1", text)
	}
	return slo, nil
}

// Overheads reads a set of allocation overheads: CSV with the one column
// overhead_s, in seconds.
func Overheads(name string, r io.Reader) ([]int64, error) {
	lines := newLines(name, r)
	if _, err := lines.header([]string{"overhead_s"}, []string{"overhead_s"}); err != nil {
		return nil, err
	}
	var all []int64
	err := lines.records(1, func(fields []string) error {
		var f fieldReader
		all = append(all, f.seconds(value{text: fields[0]}, "overhead_s"))
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

// CSVHosts reads hosts from CSV with the header name,cpu,memory,attributes;
// attributes, which may be left out, are separated by semicolons: os=linux.
func CSVHosts(name string, r io.Reader) ([]cluster.Host, error) {
	lines := newLines(name, r)
	column, err := lines.header([]string{"name", "cpu", "memory", "attributes"}, []string{"name", "cpu", "memory"})
	if err != nil {
		return nil, err
	}
	var hosts hostList
	err = lines.records(len(column), func(fields []string) error {
		host, err := csvHost(fields, column)
		if err != nil {
			return err
		}
		return hosts.add(host)
	})
	if err != nil {
		return nil, err
	}
	return hosts.all, nil
}

func csvHost(fields []string, column map[string]int) (cluster.Host, error) {
	var f fieldReader
	h := cluster.Host{
		Name: fields[column["name"]],
		CPU:  f.amount(value{text: fields[column["cpu"]]}, "cpu"), Memory: f.amount(value{text: fields[column["memory"]]}, "memory"),
	}
	if i, ok := column["attributes"]; ok && fields[i] != "" {
		for part := range strings.SplitSeq(fields[i], ";") {
			key, value, ok := strings.Cut(part, "=")
			if !ok {
				return h, fmt.Errorf("attributes: %q is not key=value", part)
			}
			h.Attributes = append(h.Attributes, cluster.Attribute{Key: strings.TrimSpace(key), Value: strings.TrimSpace(value)})
		}
		h.Attributes = cluster.SortAttributes(h.Attributes)
	}
	if f.err == nil && (h.CPU == 0 || h.Memory == 0) {
		f.err = fmt.Errorf("a host needs cpu and memory")
	}
	return h, f.err
}
