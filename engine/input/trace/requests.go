package trace

import (
	"errors"
	"io"
	"math"
	"strings"

	"berth/engine/cluster"
	"berth/engine/diag"
	"berth/engine/input/csv"
	"berth/engine/input/format/sniff"
	"berth/engine/input/workload"
	"berth/engine/show"
)

// requests is Berth's own table of requests. A request without a job counts as a separate job.
// Semicolons separate constraints: os=linux;disks>2.
var requests = fileFormat{
	Format: sniff.Format{Name: "requests", Brief: "CSV", What: "a workload of requests", For: sniff.Requests, Too: sniff.Tasks, Syntax: sniff.Table},
	table: &table{lines: own, columns: []column{
		{"id", rowID, plain, must}, {"job", rowJob, plain, may}, {"submit_s", rowSubmit, inSeconds, tells}, {"duration_s", rowRun, inSeconds, tells},
		{"cpu", rowCPU, plain, must}, {"memory", rowMemory, plain, must}, {"class", rowClass, plain, must}, {"anti_affinity", rowApart, plain, may},
		{"constraints", rowConstraints, plain, may}, {"user", rowUser, plain, may}, {"gpus", rowGPUs, plain, may},
	}},
}

func (t *table) requests(name string, r io.Reader) (workload.Stream, error) {
	rows, err := t.open(name, r, nil)
	if err != nil {
		return nil, err
	}
	return &requestRows{rows, workload.JobNumbers{}, map[string][]cluster.Constraint{}}, nil
}

// requestRows is a stream with a request in each row of a table.
type requestRows struct {
	*rowsOf
	jobs workload.JobNumbers
	sets map[string][]cluster.Constraint // constraints parsed so far, by their text
}

// Read implements [workload.Stream].
func (s *requestRows) Read(buffer []workload.Request) (int, error) {
	for n := range buffer {
		err := s.next()
		if err == nil {
			err = s.parse(&buffer[n])
		}
		if err != nil {
			return workload.Partial(n, err)
		}
	}
	return len(buffer), nil
}

func (s *requestRows) parse(r *workload.Request) error {
	var f values
	cpu, memory, run := s.with[rowCPU], s.with[rowMemory], s.with[rowRun]
	*r = workload.Request{
		ID: s.with[rowID].Text, Job: s.job(s.with[rowJob]), User: s.with[rowUser].Text, Submit: f.Seconds(s.with[rowSubmit]), Duration: f.Seconds(run),
		CPU: f.Amount(cpu), Memory: f.Amount(memory), Class: s.with[rowClass].Text, Priority: workload.NoPriority, AntiAffinity: f.Flag(s.with[rowApart]), Line: s.Number,
	}
	class, priority, slo, constraints := s.with[rowClass], s.with[rowPriority], s.with[rowSLO], s.with[rowConstraints]
	if priority != absent {
		r.Priority = f.Priority(priority)
	}
	switch {
	case class == absent:
		class = priority
	case r.Class == "" && s.expects == "":
		f.Fail(class, errors.New("a name is missing"))
	}
	if slo != absent {
		var ok bool
		if r.SLO, ok = show.ParseNumber(slo.Text); !ok || !(r.SLO > 0 && r.SLO <= 1) {
			f.Fail(slo, notPart.New(slo.Text))
		}
	}
	if f.Err == nil && constraints.Text != "" {
		r.Constraints, f.Err = s.constraints(constraints)
	}
	if gpus := s.with[rowGPUs]; gpus.Text != "" {
		f.gpus(gpus, r)
	}
	r.Column = s.Column(class.At)
	f.Check(r, cpu, memory, run)
	if f.Err != nil {
		return s.Wrong(f.Err, s.expects)
	}
	return nil
}

// job returns the number of a job. A request without a job gets a number of its own.
func (s *requestRows) job(c *cell) int64 {
	if c.Text == "" && c.need == may {
		return math.MinInt64 + int64(s.Number)
	}
	return s.jobs.Of(c.Text)
}

// constraints parses the constraints in a cell. Requests with the same text share the result.
func (s *requestRows) constraints(c *cell) (all []cluster.Constraint, err error) {
	if all, ok := s.sets[c.Text]; ok {
		return all, nil
	}
	if s.lines == terms {
		all, err = termConstraints(c.value)
	} else {
		all, err = constraintsOf(c.Field)
	}
	if err == nil {
		s.sets[strings.Clone(c.Text)] = all
	}
	return all, err
}

func constraintsOf(v csv.Field) (all []cluster.Constraint, err error) {
	at := v.At
	for part := range strings.SplitSeq(v.Text, ";") {
		one, err := workload.ParseConstraint(strings.TrimSpace(part))
		if err != nil {
			return nil, csv.FaultAt(at, diag.InvalidPart, "constraints", err)
		}
		all = append(all, one)
		at += int32(len(part) + 1)
	}
	return all, nil
}
