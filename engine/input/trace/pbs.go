package trace

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"berth/engine/cluster"
	"berth/engine/input/csv"
	"berth/engine/input/format/sniff"
	"berth/engine/input/workload"
)

var pbs = fileFormat{
	Format: sniff.Format{Name: "pbs", Of: "PBS and Torque", What: "an accounting log of PBS", For: sniff.Jobs, Syntax: sniff.Table, Mark: ';', Fit: fitsPBS},
	unit:   "job", gang: true, rows: readPBS,
}

// fitsPBS recognises a line that begins with a date and time, and a one-letter record type.
func fitsPBS(h *sniff.Head) int {
	return sniff.ScoreIf(95, len(h.Fields) >= 3 && len(h.Fields[1]) == 1 && strings.Count(h.Fields[0], "/") == 2 && strings.Count(h.Fields[0], ":") == 2)
}

// readPBS reads an accounting log of PBS or Torque, with lines of the form
// time;record;job;attributes. Times in the attributes count from 1970. Record type S is the start
// of a job, E its end; D and A mean that it was deleted or aborted.
func readPBS(name string, r io.Reader, remarks *workload.Remarks, do func(*row) error) error {
	lines := csv.NewLines(name, r)
	var all gathered
	err := lines.Each(func(line string) error {
		fields := strings.SplitN(line, ";", 4)
		if len(fields) < 3 {
			return lines.Refuse(noPBS)
		}
		if !strings.Contains("QSEDAR", fields[1]) || fields[1] == "" {
			return nil // a record about a server, a license or a reservation
		}
		x, err := all.row(fields[2], lines.Number)
		if err == nil {
			err = x.record(fields[1], append(fields, "")[3])
		}
		if err != nil {
			return lines.Wrong(err, "")
		}
		return nil
	})
	if err != nil {
		return err
	}
	return all.hand(name, remarks, do)
}

// record adds a record to the row of its job. If a job runs again, only its last run counts.
func (x *row) record(kind, attributes string) error {
	if kind == "D" || kind == "A" {
		x.state = "deleted"
	}
	of := map[string]string{}
	for part := range strings.FieldsSeq(attributes) {
		key, value, _ := strings.Cut(part, "=")
		of[key] = value
	}
	if of["user"] != "" {
		x.user = strings.Clone(of["user"])
	}
	for _, time := range []struct {
		key string
		to  *moment
		in  unit
	}{{"ctime", &x.submit, asMoment}, {"etime", &x.eligible, asMoment}, {"start", &x.start, asMoment}, {"end", &x.end, asMoment}, {"Resource_List.walltime", &x.allows, asSpan}} {
		at, err := momentOf(of[time.key], time.in)
		switch {
		case of[time.key] == "":
		case err != nil:
			return fmt.Errorf("%s: %w", time.key, err)
		case at > 0:
			*time.to = moment{at, true}
		}
	}
	if x.start.known { // the log may begin after the job's S record
		x.fate = started
	}
	x.size(of)
	return nil
}

// size sets the number of cores, from the first attribute that states it, and the number of GPUs
// per core, rounded up.
func (x *row) size(of map[string]string) {
	cores := pbsHosts(of["exec_host"])
	for _, key := range []string{"resources_used.ncpus", "Resource_List.ncpus"} {
		if n, err := strconv.Atoi(of[key]); err == nil && cores == 0 {
			cores = n
		}
	}
	if cores == 0 {
		cores = pbsNodes(of["Resource_List.nodes"])
	}
	if cores > 0 {
		x.tasks = min(cores, workload.MaxTasks+1)
	}
	if n, err := strconv.Atoi(of["Resource_List.ngpus"]); err == nil && n > 0 {
		x.gpus = min((n+max(x.tasks, 1)-1)/max(x.tasks, 1), cluster.MaxGPUs)
	}
}

// pbsHosts returns the number of cores in a list such as n1/0*8+n2/0-3+n2/4.
func pbsHosts(list string) (cores int) {
	for host := range strings.SplitSeq(list, "+") {
		_, slots, found := strings.Cut(host, "/")
		if !found {
			continue
		}
		if _, times, many := strings.Cut(slots, "*"); many {
			n, _ := strconv.Atoi(times)
			cores += n
			continue
		}
		cores += numbersIn(slots)
	}
	return cores
}

// pbsNodes returns the number of cores in a request such as 2:ppn=8+n7:ppn=4.
func pbsNodes(request string) (cores int) {
	for part := range strings.SplitSeq(request, "+") {
		count, rest, _ := strings.Cut(part, ":")
		if count == "" {
			continue
		}
		nodes, err := strconv.Atoi(count)
		if err != nil {
			nodes = 1 // the request names a node instead of a number of nodes
		}
		each := 1
		if _, ppn, found := strings.Cut(rest, "ppn="); found {
			ppn, _, _ = strings.Cut(ppn, ":")
			each, _ = strconv.Atoi(ppn)
		}
		cores += max(nodes, 0) * max(each, 0)
	}
	return cores
}
