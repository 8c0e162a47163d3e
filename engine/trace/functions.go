package trace

import (
	"fmt"
	"io"
	"slices"
	"strconv"

	"berth/engine/cluster"
	"berth/engine/csv"
	"berth/engine/diag"
	"berth/engine/show"
	"berth/engine/sim"
	"berth/engine/workload"
)

const (
	minute  = 60 * second
	minutes = 1440 // in a file of invocations
)

// ofFunctions is the note about invocations of Azure Functions.
const ofFunctions = "the file has counts per minute and averages alone: the invocations of a minute come at equal distances, and each takes a core for the function's average time"

// readFunctions reads invocations of Azure Functions per minute, joined with average
// running times.
func readFunctions(name string, r io.Reader, remarks *workload.Remarks, do func(*row) error) error {
	return readCounts(name, r, remarks, do, func(f *functions, fields []csv.Field) (moment, cluster.Amount, error) {
		average := fields[f.average]
		ms, known := show.ParseNumber(average.Text)
		if known && !(ms >= 0 && ms <= workload.MaxSeconds*1000) {
			return moment{}, 0, csv.FaultAt(average.At, badAverage, average.Text, int64(workload.MaxSeconds)*1000)
		}
		return moment{workload.Nanoseconds(ms / 1000), known}, 0, nil
	}, "Average")
}

// readCounts reads invocations of Azure Functions per minute. The invocations of a
// minute are equidistant, and each takes one core. of returns the running time and
// memory of a function. more lists further required columns.
func readCounts(name string, r io.Reader, remarks *workload.Remarks, do func(*row) error, of func(*functions, []csv.Field) (moment, cluster.Amount, error), more ...string) error {
	remarks.Unit = "invocation"
	remarks.Said = append(remarks.Said, ofFunctions)
	lines := csv.NewLines(name, r)
	first, err := lines.Next()
	if err != nil {
		return diag.New(name, 1, 1, diag.EmptyFile)
	}
	names, err := lines.Fields(first, nil)
	if err != nil {
		return err
	}
	place := func(column string) int {
		return slices.IndexFunc(names, func(f csv.Field) bool { return f.Text == column })
	}
	for _, needed := range append([]string{"HashApp", "HashFunction"}, more...) {
		if place(needed) < 0 {
			return lines.Refuse(diag.NoColumn, needed)
		}
	}
	f := functions{owner: place("HashOwner"), app: place("HashApp"), function: place("HashFunction"), average: place("Average"), do: do, remarks: remarks}
	for m := 1; m <= minutes; m++ {
		if at := place(strconv.Itoa(m)); at >= 0 {
			f.counts = append(f.counts, minuteColumn{m, at})
		}
	}
	return lines.Records(len(names), func(fields []csv.Field) error {
		run, memory, err := of(&f, fields)
		if err != nil {
			return err
		}
		return f.take(fields, row{run: run, memory: memory, user: fields[f.app].Text, tasks: 1, cpu: cluster.Unit, line: lines.Number})
	})
}

// functions has the columns of a file of invocations.
type functions struct {
	owner, app, function, average int
	counts                        []minuteColumn
	do                            func(*row) error
	remarks                       *workload.Remarks
}

type minuteColumn struct{ minute, at int }

// take passes on the invocations of a function, each a copy of one with its own id
// and time.
func (f *functions) take(fields []csv.Field, one row) error {
	for _, c := range f.counts {
		count, err := strconv.ParseUint(fields[c.at].Text, 10, 31)
		if err != nil || count > workload.MaxTasks {
			return csv.FaultAt(fields[c.at].At, badMinute, c.minute, fields[c.at].Text, workload.MaxTasks)
		}
		for k := range count {
			x := one
			x.id = fmt.Sprintf("%.12s-%d-%d", fields[f.function].Text, c.minute, k+1)
			x.submit = moment{sim.Nanoseconds(c.minute-1)*minute + minute*sim.Nanoseconds(k)/sim.Nanoseconds(count), true}
			if err := x.hand(f.remarks, f.do); err != nil {
				return err
			}
		}
	}
	return nil
}
