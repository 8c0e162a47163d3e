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

// fitsPBS recognises a time, and a letter for the record.
func fitsPBS(h *sniff.Head) int {
	return sniff.ScoreIf(95, len(h.Fields) >= 3 && len(h.Fields[1]) == 1 && strings.Count(h.Fields[0], "/") == 2 && strings.Count(h.Fields[0], ":") == 2)
}

// readPBS reads an accounting log of PBS or Torque: lines of time;record;job;attributes.
// The attributes have times since 1970. A record S says that a job started, E that it
// ended, D and A that it was ended by request.
func readPBS(name string, r io.Reader, remarks *workload.Remarks, do func(*row) error) error {
	lines := csv.NewLines(name, r)
	var all gathered
	err := lines.Each(func(line string) error {
		fields := strings.SplitN(line, ";", 4)
		if len(fields) < 3 {
			return lines.Refuse(noPBS)
		}
		if !strings.Contains("QSEDAR", fields[1]) || fields[1] == "" {
			return nil // of a server, a licence or a reservation
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

// record adds a record to the row of its job. Of a job that ran again the last run counts.
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
	if x.start.known { // a log without the record S may have begun behind it
		x.fate = started
	}
	x.size(of)
	return nil
}

// size sets the number of cores, which several attributes say, and the GPUs of each, rounded up.
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
			nodes = 1 // the name of a node
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
