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

// requests is Berth's own table of requests. A request without a job is a job of its own.
// Semicolons separate constraints: os=linux;disks>2.
var requests = Format{
	Format: sniff.Format{Name: "requests", Brief: "CSV", What: "a workload of requests", For: sniff.Requests, Too: sniff.Tasks, Syntax: sniff.Table},
	table: &table{lines: own, columns: []column{
		{"id", rowID, plain, must}, {"job", rowJob, plain, may}, {"submit_s", rowSubmit, inSeconds, tells}, {"duration_s", rowRun, inSeconds, tells},
		{"cpu", rowCPU, plain, must}, {"memory", rowMemory, plain, must}, {"class", rowClass, plain, must}, {"anti_affinity", rowApart, plain, may},
		{"constraints", rowConstraints, plain, may}, {"user", rowUser, plain, may}, {"gpus", rowGPUs, plain, may},
	}},
}

// requests reads a table with a request in each row.
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
	sets map[string][]cluster.Constraint // constraints that were read, by their text
}

// Read implements [workload.Stream].
func (s *requestRows) Read(buffer []workload.Request) (int, error) {
	for n := range buffer {
		cells, err := s.next()
		if err == nil {
			err = s.parse(cells, &buffer[n])
		}
		if err != nil {
			return workload.Partial(n, err)
		}
	}
	return len(buffer), nil
}

func (s *requestRows) parse(cells []csv.Field, r *workload.Request) error {
	var f values
	var cpu, memory, run, class csv.Field
	*r = workload.Request{Priority: workload.NoPriority, Line: s.Number}
	for i := range s.columns {
		c, v := &s.columns[i], cells[i]
		switch c.is {
		case rowID:
			r.ID = v.Text
		case rowJob:
			r.Job = s.job(v.Text, c.need != may)
		case rowUser:
			r.User = v.Text
		case rowSubmit:
			r.Submit = f.Seconds(v, c.name)
		case rowRun:
			r.Duration, run = f.Seconds(v, c.name), v
		case rowCPU:
			r.CPU, cpu = f.Amount(v, c.name), v
		case rowMemory:
			r.Memory, memory = f.Amount(v, c.name), v
		case rowGPUs:
			f.gpus(v, r)
		case rowApart:
			r.AntiAffinity = f.Flag(v, c.name)
		case rowPriority:
			r.Priority, class = f.Priority(v), v
		case rowClass:
			if r.Class, class = v.Text, v; v.Text == "" && s.expects == "" {
				f.Fail(v, c.name, errors.New("a name is missing"))
			}
		case rowSLO:
			var ok bool
			if r.SLO, ok = show.ParseNumber(v.Text); !ok || !(r.SLO > 0 && r.SLO <= 1) {
				f.Fail(v, c.name, notPart.New(v.Text))
			}
		case rowConstraints:
			if f.Err == nil && v.Text != "" {
				r.Constraints, f.Err = s.constraints(i, v)
			}
		}
	}
	r.Column = s.Column(class.At)
	f.Check(r, cpu, memory, run)
	if f.Err != nil {
		return s.Wrong(f.Err, s.expects)
	}
	return nil
}

// job returns the number of a job. A request whose file leaves the job out is a job of its own.
func (s *requestRows) job(name string, must bool) int64 {
	if name == "" && !must {
		return math.MinInt64 + int64(s.Number)
	}
	return s.jobs.Of(name)
}

// constraints returns the constraints of a cell, which requests with the same text share.
func (s *requestRows) constraints(column int, v csv.Field) (all []cluster.Constraint, err error) {
	if all, ok := s.sets[v.Text]; ok {
		return all, nil
	}
	if s.lines == terms {
		all, err = termConstraints(s.term[column])
	} else {
		all, err = constraintsOf(v)
	}
	if err == nil {
		s.sets[strings.Clone(v.Text)] = all
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
