package trace

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"berth/engine/cluster"
	"berth/engine/csv"
	"berth/engine/diag"
	"berth/engine/format/sniff"
	"berth/engine/show"
	"berth/engine/sim"
	"berth/engine/workload"
)

// joins has a constructor for each set of tables that belong together, by the name of
// the set (sniff.Format.Part).
var joins = map[string]func() join{
	"pai": func() join {
		return &paiTables{jobs: map[string]paiJob{}, runs: map[string][]sim.Nanoseconds{}, ids: map[string]string{}}
	},
	"functions": func() join { return &functionTables{times: map[string]moment{}, memory: map[string]cluster.Amount{}} },
	"packing":   func() join { return &packingTables{types: map[string]row{}} },
}

// join reads a set of tables that belong together.
type join interface {
	// look reads a table that the main table refers to.
	look(format, name string, r io.Reader) error
	// read reads the main table, which comes last.
	read(name string, r io.Reader, remarks *workload.Remarks, do func(*row) error) error
}

// readTables reads tables that belong together, concatenated as [sections]. Each
// table occurs once, and the main table comes last.
func readTables(name string, r io.Reader, remarks *workload.Remarks, do func(*row) error) error {
	var j join
	var before []sniff.Found
	for all := (&sections{text: bufio.NewReaderSize(r, sniff.Most)}); ; {
		called, text, err := all.next()
		if err == io.EOF {
			return diag.New(name, 1, 1, lacksTables, sniff.Lacks(before))
		}
		if err != nil {
			return fmt.Errorf("%s: %w", show.Text(name), err)
		}
		f := formatOf(text)
		if wrong := sniff.Apart(before, f); wrong != "" {
			return diag.New(called, 1, 1, tablesApart, wrong)
		}
		if before = append(before, f); j == nil {
			j = joins[f.Part]()
		}
		if !f.Whole {
			err = j.look(f.Name, called, text)
		} else if err = j.read(called, text, remarks, do); err == nil {
			return behind(all)
		}
		if err != nil {
			return err
		}
	}
}

// behind returns an error if a table follows the main table.
func behind(all *sections) error {
	switch called, text, err := all.next(); {
	case err == io.EOF:
		return nil
	case err != nil:
		return err
	default:
		return diag.New(called, 1, 1, tableBehind, formatOf(text).Says())
	}
}

// with returns a copy of the named table that passes each row to see, which reports
// whether the row counts.
func with(name string, see func(x *row, get func(column string) string) bool) *table {
	all := slices.Concat(tables, parts)
	t := all[slices.IndexFunc(all, func(t table) bool { return t.name == name })]
	before := t.mend
	t.mend = func(x *row, get func(string) string) (bool, error) {
		counts := true
		var err error
		if before != nil {
			counts, err = before(x, get)
		}
		return err == nil && counts && see(x, get), err
	}
	return &t
}

// parts are the tables that are useful only together with others.
var parts = []table{
	{name: "pai-job", columns: []column{
		{"job_name", rowID, plain, true}, {"inst_id", rowExtra, plain, true}, {"user", rowUser, plain, true}, {"status", rowState, plain, false},
		{"start_time", rowSubmit, inSeconds, true}, {"end_time", unused, plain, false},
	}},
	{name: "pai-instance", columns: []column{
		{"job_name", rowID, plain, true}, {"task_name", rowID, plain, true}, {"inst_name", unused, plain, false}, {"worker_name", unused, plain, false},
		{"inst_id", rowExtra, plain, true}, {"status", rowState, plain, false}, {"start_time", rowStart, inSeconds, true}, {"end_time", rowEnd, inSeconds, true},
		{"machine", unused, plain, false},
	}},
	{name: "vm-types", titled: true, columns: []column{
		{"vmTypeId", rowID, plain, true}, {"core", rowCPU, plain, true}, {"memory", rowMemory, plain, true},
	}},
	{name: "packing-vms", rows: "VM", titled: true, mend: packingRow, note: packingNote, columns: []column{
		{"vmId", rowID, plain, true}, {"tenantId", rowUser, plain, false}, {"vmTypeId", rowExtra, plain, true}, {"priority", rowExtra, plain, false},
		{"starttime", rowSubmit, inDays, true}, {"endtime", rowEnd, inDays, true},
	}},
	{name: "function-times", titled: true, columns: []column{
		{"HashOwner", rowID, plain, true}, {"HashApp", rowID, plain, true}, {"HashFunction", rowID, plain, true}, {"Average", rowRun, inMillis, true},
	}},
	{name: "function-memory", titled: true, columns: []column{
		{"HashOwner", rowID, plain, true}, {"HashApp", rowID, plain, true}, {"AverageAllocatedMb", rowMemory, inMebi, true},
	}},
}

// lookThrough passes the rows of a part to see and to nothing else.
func lookThrough(part, name string, r io.Reader, see func(x *row, get func(column string) string)) error {
	return with(part, func(x *row, get func(string) string) bool {
		see(x, get)
		return false
	}).read(name, r, &workload.Remarks{}, nil)
}

// paiTables holds the job and instance tables of PAI. A job has a user and a
// submission time, an instance a running time.
type paiTables struct {
	jobs      map[string]paiJob            // by name
	runs      map[string][]sim.Nanoseconds // running times of a task's instances, by job/task
	ids       map[string]string            // inst_id of these instances
	instances int
}

type paiJob struct {
	user, id string
	submit   moment
}

func (p *paiTables) look(part, name string, r io.Reader) error {
	if part == "pai-job" {
		return lookThrough(part, name, r, func(x *row, get func(string) string) {
			p.jobs[strings.Clone(x.id)] = paiJob{strings.Clone(x.user), strings.Clone(get("inst_id")), x.submit}
		})
	}
	return lookThrough(part, name, r, func(x *row, get func(string) string) {
		if !x.start.known || !x.end.known || x.end.at < x.start.at {
			return
		}
		if _, ok := p.runs[x.id]; !ok {
			p.ids[x.id] = strings.Clone(get("inst_id"))
		}
		p.runs[x.id] = append(p.runs[x.id], x.end.at-x.start.at)
		p.instances++
	})
}

func (p *paiTables) read(name string, r io.Reader, remarks *workload.Remarks, do func(*row) error) error {
	apart, averaged, used := 0, 0, 0
	err := with("pai-task", func(x *row, get func(string) string) bool {
		job, ok := p.jobs[get("job_name")]
		if x.user = job.user; !ok && len(p.jobs) > 0 {
			apart++
		}
		if x.start = x.submit; ok && job.submit.known && job.submit.at < x.submit.at {
			x.submit = job.submit
		}
		if runs := p.runs[x.id]; !ok || job.id == p.ids[x.id] {
			used += len(runs)
			x.tasks, x.runs = max(x.tasks, len(runs)), runs
		}
		averaged += x.tasks - len(x.runs)
		return true
	}).read(name, r, remarks, do)
	say := func(n int, format string) {
		if n > 0 {
			remarks.Said = append(remarks.Said, fmt.Sprintf(format, show.Group(strconv.Itoa(n))))
		}
	}
	say(apart, "tasks without a job in pai_job_table come when they began: %s")
	if p.instances > 0 {
		say(averaged, "instances that are not in pai_instance_table run for as long as their task: %s")
		say(p.instances-used, "instances of pai_instance_table without a task that is read: %s")
	}
	return err
}

// functionTables holds the average running times of Azure's functions and the memory
// of their applications.
type functionTables struct {
	times  map[string]moment         // by owner/app/function
	memory map[string]cluster.Amount // by owner/app
}

func (p *functionTables) look(part, name string, r io.Reader) error {
	return lookThrough(part, name, r, func(x *row, _ func(string) string) {
		if part == "function-times" {
			p.times[strings.Clone(x.id)] = x.run
		} else {
			p.memory[strings.Clone(x.id)] = x.memory
		}
	})
}

func (p *functionTables) read(name string, r io.Reader, remarks *workload.Remarks, do func(*row) error) error {
	return readCounts(name, r, remarks, do, func(f *functions, fields []csv.Field) (moment, cluster.Amount, error) {
		app := fields[f.owner].Text + "/" + fields[f.app].Text
		return p.times[app+"/"+fields[f.function].Text], p.memory[app], nil
	}, "HashOwner")
}

// packingTables holds the VM types of Azure's packing trace.
type packingTables struct {
	types map[string]row // by vmTypeId, for the first machine type that can host it
}

func (p *packingTables) look(part, name string, r io.Reader) error {
	return lookThrough(part, name, r, func(x *row, _ func(string) string) {
		if _, ok := p.types[x.id]; !ok {
			p.types[strings.Clone(x.id)] = row{cpu: x.cpu, memory: x.memory}
		}
	})
}

func (p *packingTables) read(name string, r io.Reader, remarks *workload.Remarks, do func(*row) error) error {
	unknown := 0
	err := with("packing-vms", func(x *row, get func(string) string) bool {
		of, ok := p.types[get("vmTypeId")]
		if x.cpu, x.memory = of.cpu, of.memory; !ok {
			unknown++
		}
		return ok
	}).read(name, r, remarks, do)
	if unknown > 0 {
		remarks.Said = append(remarks.Said, show.Count(unknown, "VM")+" left out: the table of types does not have the type")
	}
	return err
}
