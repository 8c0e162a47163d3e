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
)

const requestColumns = "id,job,submit_s,duration_s,cpu,memory,class,anti_affinity,constraints,user,gpus"

// requests is Berth's own table of requests. A request without a job is a job of its own.
// Semicolons separate constraints: os=linux;disks>2.
var requests = Format{
	Format: sniff.Format{Name: "requests", Brief: "CSV", What: "a workload of requests", For: sniff.Requests, Too: sniff.Tasks, Accept: "CSV with the header " + requestColumns,
		Syntax: sniff.Table, Must: "submit_s,duration_s", Fields: requestColumns},
	requests: func(name string, r io.Reader, _ func() (io.Reader, error)) (workload.Stream, error) {
		s := &requestLines{lines: csv.NewLines(name, r), columns: ownRequests.columns, constraints: constraintsOf}
		rows, err := ownRequests.open(s.lines, nil)
		if err != nil {
			return nil, err
		}
		s.split = rows.cells
		return s, nil
	},
}

var ownRequests = table{strict: true, columns: []column{
	{"id", rowID, plain, true}, {"job", rowJob, plain, false}, {"submit_s", rowSubmit, inSeconds, true}, {"duration_s", rowRun, inSeconds, true},
	{"cpu", rowCPU, plain, true}, {"memory", rowMemory, plain, true}, {"class", rowClass, plain, true}, {"anti_affinity", rowApart, plain, false},
	{"constraints", rowConstraints, plain, false}, {"user", rowUser, plain, false}, {"gpus", rowGPUs, plain, false},
}}

// requestLines is a stream with a request in each line of a file.
type requestLines struct {
	lines   *csv.Lines
	columns []column
	split   func(line string) ([]csv.Field, error) // into the cells of the columns
	// constraints parses the constraints of the latest line.
	constraints func(v csv.Field) ([]cluster.Constraint, error)
	expects     string // description of a line for errors; "": the header is one

	jobs workload.JobNumbers
	sets map[string][]cluster.Constraint // constraints that were read, by their text
}

// Read implements [workload.Stream].
func (s *requestLines) Read(buffer []workload.Request) (int, error) {
	for n := range buffer {
		line, err := s.lines.Next()
		if err == nil {
			err = s.parse(line, &buffer[n])
		}
		if err != nil {
			return workload.Partial(n, err)
		}
	}
	return len(buffer), nil
}

func (s *requestLines) parse(line string, r *workload.Request) error {
	cells, err := s.split(line)
	if err != nil {
		return err
	}
	var f values
	var of [rowExtra + 1]csv.Field // the cells by their meaning
	*r = workload.Request{Priority: workload.NoPriority, Line: s.lines.Number}
	for i := range s.columns {
		c, v := &s.columns[i], cells[i]
		of[c.is] = v
		switch c.is {
		case rowID:
			r.ID = v.Text
		case rowJob:
			r.Job = s.job(v.Text, c.must)
		case rowUser:
			r.User = v.Text
		case rowSubmit:
			r.Submit = f.Seconds(v, c.name)
		case rowRun:
			r.Duration = f.Seconds(v, c.name)
		case rowCPU:
			r.CPU = f.Amount(v, c.name)
		case rowMemory:
			r.Memory = f.Amount(v, c.name)
		case rowGPUs:
			f.gpus(v, r)
		case rowApart:
			r.AntiAffinity = f.Flag(v, c.name)
		case rowPriority:
			r.Priority, r.Column = f.Priority(v), s.lines.Column(v.At)
		case rowClass:
			if r.Class, r.Column = v.Text, s.lines.Column(v.At); v.Text == "" && s.expects == "" {
				f.Fail(v, c.name, errors.New("a name is missing"))
			}
		case rowSLO:
			r.SLO, err = parseSLO(v.Text)
			f.Fail(v, c.name, err)
		case rowConstraints:
			if f.Err == nil && v.Text != "" {
				r.Constraints, f.Err = s.known(v)
			}
		}
	}
	f.Check(r, of[rowCPU], of[rowMemory], of[rowRun])
	if f.Err != nil {
		return s.lines.Wrong(f.Err, s.expects)
	}
	return nil
}

// job returns the number of a job. A request whose file leaves the job out is a job of its own.
func (s *requestLines) job(name string, must bool) int64 {
	if name == "" && !must {
		return math.MinInt64 + int64(s.lines.Number)
	}
	if s.jobs == nil {
		s.jobs = workload.JobNumbers{}
	}
	return s.jobs.Of(name)
}

// known returns constraints, which requests with the same text share.
func (s *requestLines) known(v csv.Field) ([]cluster.Constraint, error) {
	if all, ok := s.sets[v.Text]; ok {
		return all, nil
	}
	all, err := s.constraints(v)
	if err != nil {
		return nil, err
	}
	if s.sets == nil {
		s.sets = map[string][]cluster.Constraint{}
	}
	s.sets[strings.Clone(v.Text)] = all
	return all, nil
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
