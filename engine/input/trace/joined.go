package trace

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"berth/engine/cluster"
	"berth/engine/diag"
	"berth/engine/input/csv"
	"berth/engine/input/format/sniff"
	"berth/engine/input/workload"
	"berth/engine/show"
	"berth/engine/sim"
)

var tables = fileFormat{
	Format: sniff.Format{Name: "tables", Of: "Tables that belong together", What: "tables one behind the other", For: sniff.Jobs, Syntax: sniff.Parts, Fit: sniff.Always(100)},
	unit:   "row", gpus: true, rows: readTables,
}

// join reads a set of tables that belong together.
type join struct {
	// see receives the rows of a table that the main table refers to. get returns a field by
	// column name.
	see func(table string, x *row, get func(column string) string)
	// read reads the main table, which must be the last one.
	read func(name string, r io.Reader, remarks *workload.Remarks, do func(*row) error) error
}

// joins has a constructor for each set of tables, by the name of the set (sniff.Format.Part).
var joins = map[string]func() *join{"pai": joinPAI, "functions": joinFunctions, "packing": joinPacking}

// readTables reads tables that belong together, concatenated as [sections]. Each
// table occurs once, and the main table comes last.
func readTables(name string, r io.Reader, remarks *workload.Remarks, do func(*row) error) error {
	var j *join
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
		if remarks.Unit = formats[f.Format].unit; !f.Whole {
			err = formats[f.Format].table.with(func(x *row, get func(string) string) bool {
				j.see(f.Name, x, get)
				return false
			}).read(called, text, &workload.Remarks{}, nil)
		} else if err = j.read(called, text, remarks, do); err == nil {
			return behind(all)
		}
		if err != nil {
			return err
		}
	}
}

// behind returns an error if another table follows the main table.
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

// with returns a copy of a table that passes each row to see, which reports whether
// the row counts.
func (t table) with(see func(x *row, get func(column string) string) bool) *table {
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

// The following tables are useful only together with another table.

var paiJob = fileFormat{
	Format: sniff.Format{Name: "pai-job", What: "pai_job_table of the Alibaba trace of 2020", Do: sniff.TogetherWith("pai_task_table, which has the resources"), Syntax: sniff.Table,
		Fit: sniff.Either(sniff.Header(94, 6, "inst_id,status,start_time"), sniff.Row(94, "*,*,*,!,*,*")), Part: "pai"},
	table: &table{columns: []column{
		{"job_name", rowID, plain, must}, {"inst_id", rowExtra, plain, must}, {"user", rowUser, plain, must}, {"status", rowState, plain, may},
		{"start_time", rowSubmit, inSeconds, must}, {"end_time", unused, plain, may},
	}},
}

var paiInstance = fileFormat{
	Format: sniff.Format{Name: "pai-instance", What: "pai_instance_table of the Alibaba trace of 2020", Do: sniff.TogetherWith("pai_task_table, which has the resources"), Syntax: sniff.Table,
		Fit: sniff.Either(sniff.Header(94, 9, "inst_id,status,start_time"), sniff.Row(94, "*,*,*,*,*,!,*,*,*")), Part: "pai"},
	table: &table{columns: []column{
		{"job_name", rowID, plain, must}, {"task_name", rowID, plain, must}, {"inst_name", unused, plain, may}, {"worker_name", unused, plain, may},
		{"inst_id", rowExtra, plain, must}, {"status", rowState, plain, may}, {"start_time", rowStart, inSeconds, must}, {"end_time", rowEnd, inSeconds, must},
		{"machine", unused, plain, may},
	}},
}

var vmTypes = fileFormat{
	Format: sniff.Format{Name: "vm-types", What: "types of machines of Azure's packing trace", Do: sniff.TogetherWith("the table of virtual machines"), Syntax: sniff.Table, Must: "vmTypeId,machineId", Part: "packing"},
	table: &table{lines: titled, columns: []column{
		{"vmTypeId", rowID, plain, must}, {"core", rowCPU, plain, must}, {"memory", rowMemory, plain, must},
	}},
}

var packingVMs = fileFormat{
	Format: sniff.Format{Name: "packing-vms", What: "virtual machines of Azure's packing trace without their types", Do: sniff.TogetherWith("the table of their types"), Syntax: sniff.Table, Part: "packing", Whole: true},
	unit:   "VM",
	table: &table{lines: titled, mend: packingRow, note: packingNote, columns: []column{
		{"vmId", rowID, plain, tells}, {"tenantId", rowUser, plain, may}, {"vmTypeId", rowExtra, plain, tells}, {"priority", rowExtra, plain, may},
		{"starttime", rowSubmit, inDays, must}, {"endtime", rowEnd, inDays, must},
	}},
}

var functionTimes = fileFormat{
	Format: sniff.Format{Name: "function-times", What: "running times of functions of Azure, without invocations", Do: sniff.TogetherWith("the table of invocations per minute"), Syntax: sniff.Table, Part: "functions"},
	table: &table{lines: titled, columns: []column{
		{"HashOwner", rowID, plain, must}, {"HashApp", rowID, plain, must}, {"HashFunction", rowID, plain, tells}, {"Average", rowRun, inMillis, tells},
	}},
}

var functionMemory = fileFormat{
	Format: sniff.Format{Name: "function-memory", What: "memory of applications of Azure Functions", Do: sniff.TogetherWith("the tables of invocations per minute and of running times"), Syntax: sniff.Table, Part: "functions"},
	table: &table{lines: titled, columns: []column{
		{"HashOwner", rowID, plain, must}, {"HashApp", rowID, plain, tells}, {"AverageAllocatedMb", rowMemory, inMebi, tells},
	}},
}

var functionCounts = fileFormat{
	Format: sniff.Format{Name: "function-counts", What: "invocations of functions of Azure per minute, without running times", Do: sniff.TogetherWith("the table of running times"), Syntax: sniff.Table,
		Must: "HashFunction,Trigger", Part: "functions", Whole: true},
	unit: "invocation",
}

// joinPAI joins the job and instance tables of PAI with its tasks. A job has a user and a
// submission time, an instance a running time.
func joinPAI() *join {
	type job struct {
		user, id string
		submit   moment
	}
	jobs := map[string]job{}                 // by name
	runs := map[string][]sim.Nanoseconds{}   // running times of a task's instances, by job/task
	ids, instances := map[string]string{}, 0 // inst_id by job/task, and the number of instances
	see := func(table string, x *row, get func(string) string) {
		switch {
		case table == "pai-job":
			jobs[strings.Clone(x.id)] = job{strings.Clone(x.user), strings.Clone(get("inst_id")), x.submit}
		case x.start.known && x.end.known && x.end.at >= x.start.at:
			if _, ok := runs[x.id]; !ok {
				ids[x.id] = strings.Clone(get("inst_id"))
			}
			runs[x.id] = append(runs[x.id], x.end.at-x.start.at)
			instances++
		}
	}
	return &join{see, func(name string, r io.Reader, remarks *workload.Remarks, do func(*row) error) error {
		apart, averaged, used := 0, 0, 0
		err := paiTask.table.with(func(x *row, get func(string) string) bool {
			job, ok := jobs[get("job_name")]
			if x.user = job.user; !ok && len(jobs) > 0 {
				apart++
			}
			if x.start = x.submit; ok && job.submit.known && job.submit.at < x.submit.at {
				x.submit = job.submit
			}
			if own := runs[x.id]; !ok || job.id == ids[x.id] {
				used += len(own)
				x.tasks, x.runs = max(x.tasks, len(own)), own
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
		if instances > 0 {
			say(averaged, "instances that are not in pai_instance_table run for as long as their task: %s")
			say(instances-used, "instances of pai_instance_table without a task that is read: %s")
		}
		return err
	}}
}

// joinFunctions joins the average running times of Azure's functions and the memory of their
// applications with the invocations.
func joinFunctions() *join {
	times, memory := map[string]moment{}, map[string]cluster.Amount{} // times by owner/app/function; memory by owner/app
	see := func(table string, x *row, _ func(string) string) {
		if table == "function-times" {
			times[strings.Clone(x.id)] = x.run
		} else {
			memory[strings.Clone(x.id)] = x.memory
		}
	}
	return &join{see, func(name string, r io.Reader, remarks *workload.Remarks, do func(*row) error) error {
		return readCounts(name, r, remarks, do, "HashOwner", func(owner, app, function string, _ csv.Field) (moment, cluster.Amount, error) {
			app = owner + "/" + app
			return times[app+"/"+function], memory[app], nil
		})
	}}
}

// joinPacking joins the VM types of Azure's packing trace with the VMs. If several machine types
// can host a VM type, the first one counts.
func joinPacking() *join {
	types := map[string]row{} // by vmTypeId
	see := func(_ string, x *row, _ func(string) string) {
		if _, ok := types[x.id]; !ok {
			types[strings.Clone(x.id)] = row{cpu: x.cpu, memory: x.memory}
		}
	}
	return &join{see, func(name string, r io.Reader, remarks *workload.Remarks, do func(*row) error) error {
		unknown := 0
		err := packingVMs.table.with(func(x *row, get func(string) string) bool {
			of, ok := types[get("vmTypeId")]
			if x.cpu, x.memory = of.cpu, of.memory; !ok {
				unknown++
			}
			return ok
		}).read(name, r, remarks, do)
		if unknown > 0 {
			remarks.Said = append(remarks.Said, show.Count(unknown, "VM")+" left out: the table of types does not have the type")
		}
		return err
	}}
}
