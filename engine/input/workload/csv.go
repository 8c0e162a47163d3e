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
	"berth/engine/diag"
	"berth/engine/input/csv"
	"berth/engine/input/format/sniff"
	"berth/engine/plugin"
	"berth/engine/sim"
)

// ReadRequests reads requests from CSV with the header
// id,job,submit_s,duration_s,cpu,memory,class,anti_affinity,constraints,user,gpus.
// Columns may be in any order, and job, anti_affinity, constraints, user and gpus may
// be missing. A request without a job is a job of its own. Semicolons separate
// constraints: os=linux;disks>2.
func ReadRequests(name string, r io.Reader) (Stream, error) {
	c := &csvRequests{lines: csv.NewLines(name, r), jobs: JobNumbers{}, sets: map[string][]cluster.Constraint{}}
	var err error
	c.column, err = c.lines.Header(requestColumns, requiredColumns)
	return Lined{c.lines, c.parse}, err
}

type csvRequests struct {
	lines  *csv.Lines
	column csv.Columns
	fields []csv.Field
	jobs   JobNumbers
	sets   map[string][]cluster.Constraint
}

var (
	requestColumns  = strings.Split(sniff.RequestColumns, ",")
	requiredColumns = []string{"id", "submit_s", "duration_s", "cpu", "memory", "class"}
)

func (c *csvRequests) parse(line string, r *Request) (err error) {
	c.fields, err = c.lines.Fields(line, c.fields)
	if err != nil {
		return err
	}
	if len(c.fields) != len(c.column) {
		return c.lines.Wrong(csv.Miscount(line, c.fields, len(c.column), fmt.Sprintf("the header %d", len(c.column))), "")
	}
	get := func(name string) csv.Field { return c.column.Of(c.fields, name) }
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

func (c *csvRequests) job(name string) int64 {
	if name == "" {
		return math.MinInt64 + int64(c.lines.Number)
	}
	return c.jobs.Of(name)
}

func (c *csvRequests) constraints(v csv.Field) ([]cluster.Constraint, error) {
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
			return nil, csv.FaultAt(at, diag.InvalidPart, "constraints", err)
		}
		all = append(all, one)
		at += int32(len(part) + 1)
	}
	c.sets[strings.Clone(v.Text)] = all
	return all, nil
}

// ParseConstraint parses a key, an operator and a value, such as disks>2.
func ParseConstraint(text string) (cluster.Constraint, error) {
	start := strings.IndexAny(text, "=≠!<>/∈")
	if start <= 0 {
		return cluster.Constraint{}, badConstraint.New(text)
	}
	rest := text[start:]
	end := start + len(rest) - len(strings.TrimLeft(rest, "=≠!<>/∈"))
	op, ok := cluster.ParseOperator(text[start:end])
	if !ok {
		return cluster.Constraint{}, UnknownOperator(text[start:end])
	}
	return cluster.Constraint{Key: strings.TrimSpace(text[:start]), Op: op, Value: strings.TrimSpace(text[end:])}, nil
}

// UnknownOperator returns the error about an unknown operator in a constraint.
func UnknownOperator(text string) error {
	return unknownOperator.New(text)
}

// Overheads reads a set of allocation overheads in seconds, from CSV with the single
// column overhead_s, or from lines of Erlang terms in the authors' format.
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
	column := []string{sniff.OverheadColumn}
	var all []sim.Milliseconds
	err := lines.Table(column, column, func(of func(string) csv.Field) error {
		var f Values
		all = append(all, f.Seconds(of(sniff.OverheadColumn), sniff.OverheadColumn))
		return f.Err
	})
	switch {
	case err != nil:
		return nil, err
	case len(all) == 0:
		return nil, lines.Refuse(noOverheads)
	}
	return all, nil
}

// CSVHosts reads hosts from CSV with the header name,cpu,memory,attributes,gpus, in
// which attributes and gpus may be missing. Semicolons separate attributes:
// os=linux;disk=ssd.
func CSVHosts(name string, r io.Reader) ([]cluster.Host, error) {
	var hosts HostList
	err := csv.NewLines(name, r).Table(strings.Split(sniff.HostColumns, ","), requiredOfHosts, func(of func(string) csv.Field) error {
		host, err := csvHost(of)
		if err != nil {
			return err
		}
		return hosts.Add(host, of("name").At)
	})
	if err != nil {
		return nil, err
	}
	return hosts.All, nil
}

var requiredOfHosts = []string{"name", "cpu", "memory"}

func csvHost(of func(string) csv.Field) (cluster.Host, error) {
	var f Values
	cpu, memory, attributes := of("cpu"), of("memory"), of("attributes")
	h := cluster.Host{Name: of("name").Text, CPU: f.Amount(cpu, "cpu"), Memory: f.Amount(memory, "memory")}
	f.Capacity(&h, cpu, memory, "cpu and memory")
	h.GPUs = f.Devices(of("gpus"), "gpus")
	if attributes.Text != "" {
		at := attributes.At
		for part := range strings.SplitSeq(attributes.Text, ";") {
			key, value, ok := strings.Cut(part, "=")
			if !ok {
				return h, csv.FaultAt(at, badAttribute, part)
			}
			h.Attributes = append(h.Attributes, cluster.Attribute{Key: strings.TrimSpace(key), Value: strings.TrimSpace(value)})
			at += int32(len(part) + 1)
		}
		h.Attributes = cluster.SortAttributes(h.Attributes)
	}
	return h, f.Err
}
