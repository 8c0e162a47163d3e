package workload

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"berth/engine/cluster"
	"berth/engine/csv"
	"berth/engine/format/sniff"
	"berth/engine/plugin"
	"berth/engine/sim"
)

// CSVRequests reads requests from CSV with the header
// id,job,submit_s,duration_s,cpu,memory,class,anti_affinity,constraints,user,gpus.
// The columns may have any order; job, anti_affinity, constraints, user and gpus may
// be left out: a request without a job is one of its own. Constraints are
// separated by semicolons: os=linux;disks>2.
type CSVRequests struct {
	lines  *csv.Lines
	column map[string]int
	fields []csv.Field
	jobs   JobNumbers
	sets   map[string][]cluster.Constraint
}

var (
	requestColumns  = strings.Split(sniff.RequestColumns, ",")
	requiredColumns = []string{"id", "submit_s", "duration_s", "cpu", "memory", "class"}
)

// NewCSVRequests reads the header and returns a reader.
func NewCSVRequests(name string, r io.Reader) (*CSVRequests, error) {
	c := &CSVRequests{lines: csv.NewLines(name, r), jobs: JobNumbers{}, sets: map[string][]cluster.Constraint{}}
	var err error
	c.column, err = c.lines.Header(requestColumns, requiredColumns)
	return c, err
}

// Read implements [Source].
func (c *CSVRequests) Read(buffer []Request) (int, error) {
	for n := range buffer {
		line, err := c.lines.Next()
		if err != nil {
			return Partial(n, err)
		}
		if err := c.parse(line, &buffer[n]); err != nil {
			return n, err
		}
	}
	return len(buffer), nil
}

func (c *CSVRequests) parse(line string, r *Request) (err error) {
	c.fields, err = c.lines.Fields(line, c.fields)
	if err != nil {
		return err
	}
	if len(c.fields) != len(c.column) {
		return c.lines.Wrong(csv.Miscount(line, c.fields, len(c.column), fmt.Sprintf("the header %d", len(c.column))), "")
	}
	get := func(name string) csv.Field {
		if i, ok := c.column[name]; ok {
			return c.fields[i]
		}
		return csv.Field{}
	}
	var f Values
	class, duration, cpu, memory := get("class"), get("duration_s"), get("cpu"), get("memory")
	*r = Request{
		ID: get("id").Text, User: get("user").Text, Job: c.job(get("job").Text),
		Submit: f.Seconds(get("submit_s"), "submit_s"), Duration: f.Seconds(duration, "duration_s"),
		CPU: f.Amount(cpu, "cpu"), Memory: f.Amount(memory, "memory"),
		Class: class.Text, Priority: NoPriority, AntiAffinity: f.Flag(get("anti_affinity"), "anti_affinity"),
		Line: c.lines.Number, Column: c.lines.Column(class.At),
	}
	f.gpus(get("gpus"), r)
	if r.Class == "" {
		f.Fail(class, "class", errors.New("a name is missing"))
	}
	if f.Err == nil {
		r.Constraints, f.Err = c.constraints(get("constraints"))
	}
	f.Check(r, cpu, memory, duration)
	if f.Err != nil {
		return c.lines.Wrong(f.Err, "")
	}
	return nil
}

func (c *CSVRequests) job(name string) int64 {
	if name == "" {
		return math.MinInt64 + int64(c.lines.Number)
	}
	return c.jobs.Of(name)
}

func (c *CSVRequests) constraints(v csv.Field) ([]cluster.Constraint, error) {
	if v.Text == "" {
		return nil, nil
	}
	if known, ok := c.sets[v.Text]; ok {
		return known, nil
	}
	var all []cluster.Constraint
	at := v.At
	for part := range strings.SplitSeq(v.Text, ";") {
		one, err := ParseConstraint(strings.TrimSpace(part))
		if err != nil {
			return nil, csv.Faultf(at, "constraints: %w", err)
		}
		all = append(all, one)
		at += int32(len(part) + 1)
	}
	c.sets[strings.Clone(v.Text)] = all
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
		return cluster.Constraint{}, UnknownOperator(text[start:end])
	}
	return cluster.Constraint{Key: strings.TrimSpace(text[:start]), Op: op, Value: strings.TrimSpace(text[end:])}, nil
}

// UnknownOperator is the error for an operator of a constraint that is none.
func UnknownOperator(text string) error {
	return fmt.Errorf("unknown operator %.40q in a constraint; known: = ≠ < >", text)
}

// Overheads reads a set of allocation overheads in seconds: CSV with the one column
// overhead_s, or one Erlang term a line as the authors wrote them.
func Overheads(name string, r io.Reader) ([]sim.Milliseconds, error) {
	in := bufio.NewReader(r)
	if begin, _ := in.Peek(64); bytes.HasPrefix(bytes.TrimLeft(bytes.TrimPrefix(begin, []byte("\ufeff")), " \t\r\n"), []byte("{")) {
		f, ok := formats.Lookup("erlang-overheads")
		if !ok {
			return nil, &plugin.MissingError{Message: "this program does not read overheads in Erlang terms"}
		}
		return f.Overheads(name, in)
	}
	lines := csv.NewLines(name, in)
	if _, err := lines.Header([]string{sniff.OverheadColumn}, []string{sniff.OverheadColumn}); err != nil {
		return nil, err
	}
	var all []sim.Milliseconds
	err := lines.Records(1, func(fields []csv.Field) error {
		var f Values
		all = append(all, f.Seconds(fields[0], "overhead_s"))
		return f.Err
	})
	switch {
	case err != nil:
		return nil, err
	case len(all) == 0:
		return nil, lines.Errorf("the set of overheads is empty; expected at least one number of seconds below overhead_s")
	}
	return all, nil
}

// CSVHosts reads hosts from CSV with the header name,cpu,memory,attributes,gpus;
// attributes and gpus may be left out. Attributes are separated by semicolons: os=linux.
func CSVHosts(name string, r io.Reader) ([]cluster.Host, error) {
	lines := csv.NewLines(name, r)
	column, err := lines.Header(strings.Split(sniff.HostColumns, ","), []string{"name", "cpu", "memory"})
	if err != nil {
		return nil, err
	}
	var hosts HostList
	err = lines.Records(len(column), func(fields []csv.Field) error {
		host, err := csvHost(fields, column)
		if err != nil {
			return err
		}
		return hosts.Add(host, fields[column["name"]].At)
	})
	if err != nil {
		return nil, err
	}
	return hosts.All, nil
}

func csvHost(fields []csv.Field, column map[string]int) (cluster.Host, error) {
	var f Values
	name, cpu, memory := fields[column["name"]], fields[column["cpu"]], fields[column["memory"]]
	h := cluster.Host{Name: name.Text, CPU: f.Amount(cpu, "cpu"), Memory: f.Amount(memory, "memory")}
	f.Capacity(&h, cpu, memory, "cpu and memory")
	if i, ok := column["gpus"]; ok {
		h.GPUs = f.Devices(fields[i], "gpus")
	}
	if i, ok := column["attributes"]; ok && fields[i].Text != "" {
		at := fields[i].At
		for part := range strings.SplitSeq(fields[i].Text, ";") {
			key, value, ok := strings.Cut(part, "=")
			if !ok {
				return h, csv.Faultf(at, "attributes: %.40q is not key=value", part)
			}
			h.Attributes = append(h.Attributes, cluster.Attribute{Key: strings.TrimSpace(key), Value: strings.TrimSpace(value)})
			at += int32(len(part) + 1)
		}
		h.Attributes = cluster.SortAttributes(h.Attributes)
	}
	return h, f.Err
}
