package workload

import (
	"fmt"
	"io"
	"slices"
	"strconv"

	"berth/engine/cluster"
	"berth/engine/diag"
	"berth/engine/show"
	"berth/engine/sim"
)

const (
	minute  = 60 * nanosecondsPerSecond
	minutes = 1440 // of a file of invocations
)

// readFunctions reads invocations of Azure Functions per minute, joined with the average
// running times: of each minute the invocations come at equal distances, and each takes a
// core.
func readFunctions(name string, r io.Reader, remarks *Remarks, do func(*row) error) error {
	remarks.Unit = "invocation"
	remarks.Said = append(remarks.Said, "the file has counts per minute and averages alone: the invocations of a minute come at equal distances, and each takes a core for the function's average time")
	lines := newLines(name, r)
	first, err := lines.next()
	if err != nil {
		return diag.Errorf(name, 1, 1, "the file is empty")
	}
	names, err := lines.fields(first, nil)
	if err != nil {
		return err
	}
	place := func(column string) int {
		return slices.IndexFunc(names, func(f field) bool { return f.text == column })
	}
	f := functions{app: place("HashApp"), function: place("HashFunction"), average: place("Average"), do: do, remarks: remarks}
	if f.app < 0 || f.function < 0 || f.average < 0 {
		return lines.errorf("the columns HashApp, HashFunction and Average are needed")
	}
	for m := 1; m <= minutes; m++ {
		if at := place(strconv.Itoa(m)); at >= 0 {
			f.counts = append(f.counts, minuteColumn{m, at})
		}
	}
	return lines.records(len(names), func(fields []field) error { return f.take(fields, lines.number) })
}

// functions are the columns of a file of invocations.
type functions struct {
	app, function, average int
	counts                 []minuteColumn
	do                     func(*row) error
	remarks                *Remarks
}

type minuteColumn struct{ minute, at int }

// take hands on the invocations of a function.
func (f *functions) take(fields []field, line int) error {
	average := fields[f.average]
	ms, known := show.ParseNumber(average.text)
	if known && !(ms >= 0 && ms <= maxTaskSeconds*1000) {
		return faultf(average.at, "Average: %.40q is not a time from 0 to %d ms", average.text, int64(maxTaskSeconds)*1000)
	}
	for _, c := range f.counts {
		count, err := strconv.ParseUint(fields[c.at].text, 10, 31)
		if err != nil || count > MaxTasks {
			return faultf(fields[c.at].at, "%d: %.40q is not a whole number from 0 to %d", c.minute, fields[c.at].text, MaxTasks)
		}
		for k := range count {
			x := row{
				id: fmt.Sprintf("%.12s-%d-%d", fields[f.function].text, c.minute, k+1), user: fields[f.app].text, tasks: 1, cpu: cluster.Unit, line: line,
				submit: moment{sim.Nanoseconds(c.minute-1)*minute + minute*sim.Nanoseconds(k)/sim.Nanoseconds(count), true}, run: moment{nanoseconds(ms / 1000), known},
			}
			if err := x.hand(f.remarks, f.do); err != nil {
				return err
			}
		}
	}
	return nil
}
