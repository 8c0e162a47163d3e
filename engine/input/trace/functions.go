package trace

import (
	"fmt"
	"io"
	"strconv"

	"berth/engine/cluster"
	"berth/engine/diag"
	"berth/engine/input/csv"
	"berth/engine/input/format/sniff"
	"berth/engine/input/workload"
	"berth/engine/show"
	"berth/engine/sim"
)

const (
	minute  = 60 * second
	minutes = 1440 // minutes per file of invocations: one day
)

// ofFunctions is the note about invocations of Azure Functions.
const ofFunctions = "the file has counts per minute and averages alone: the invocations of a minute come at equal distances, and each takes a core for the function's average time"

// countColumns are the first columns of a file of Azure Functions invocations. One column for each
// minute follows.
var countColumns = []column{
	{"HashOwner", rowExtra, plain, may}, {"HashApp", rowUser, plain, must}, {"HashFunction", rowID, plain, must}, {"Trigger", unused, plain, may},
	{"Average", rowExtra, plain, may},
}

// countTable returns the table of invocations, with the given column as required.
func countTable(needs string) *table {
	t := &table{lines: titled}
	for _, c := range countColumns {
		if c.name == needs {
			c.need = must
		}
		t.columns = append(t.columns, c)
	}
	for m := range minutes {
		t.columns = append(t.columns, column{strconv.Itoa(m + 1), rowExtra, plain, may})
	}
	return t
}

var azureFunctions = fileFormat{
	Format: sniff.Format{Name: "azure-functions", Of: "Azure Functions 2019", What: "invocations of functions of Azure per minute, joined with their running times", For: sniff.Jobs, Syntax: sniff.Table, Fit: sniff.Header(95, 0, "HashApp,HashFunction,Average,1")},
	unit:   "invocation", rows: readFunctions,
}

// readFunctions reads invocations of Azure Functions per minute, joined with average
// running times.
func readFunctions(name string, r io.Reader, remarks *workload.Remarks, do func(*row) error) error {
	return readCounts(name, r, remarks, do, "Average", func(_, _, _ string, average csv.Field) (moment, cluster.Amount, error) {
		ms, known := show.ParseNumber(average.Text)
		if known && !(ms >= 0 && ms <= workload.MaxSeconds*1000) {
			return moment{}, 0, csv.FaultAt(average.At, badAverage, average.Text, int64(workload.MaxSeconds)*1000)
		}
		return moment{workload.Nanoseconds(ms / 1000), known}, 0, nil
	})
}

// readCounts reads invocations of Azure Functions per minute. It spaces the invocations of a minute
// evenly and gives each one core. of returns the running time and memory of a function of an
// owner's application; needs is a further required column.
func readCounts(name string, r io.Reader, remarks *workload.Remarks, do func(*row) error, needs string, of func(owner, app, function string, average csv.Field) (moment, cluster.Amount, error)) error {
	remarks.Said = append(remarks.Said, ofFunctions)
	total := uint64(0)
	return countTable(needs).each(name, r, remarks, func(rows *rowsOf) error {
		cells := rows.cells
		owner, app, function := cells[0].Text, cells[1].Text, cells[2].Text
		run, memory, err := of(owner, app, function, cells[4].Field)
		if err != nil {
			return err
		}
		for m, cell := range cells[len(countColumns):] {
			if cell.At == missing {
				continue
			}
			count, err := strconv.ParseUint(cell.Text, 10, 31)
			if err != nil || count > workload.MaxTasks {
				return csv.FaultAt(cell.At, badMinute, m+1, cell.Text, workload.MaxTasks)
			}
			if total += count; total > workload.MaxTasks { // checked before the requests are created
				return csv.FaultAt(cell.At, diag.MoreThan, workload.MaxTasks, "invocations")
			}
			for k := range count {
				x := row{id: fmt.Sprintf("%.12s-%d-%d", function, m+1, k+1), run: run, memory: memory, user: app, tasks: 1, cpu: cluster.Unit, line: rows.Number}
				x.submit = moment{sim.Nanoseconds(m)*minute + minute*sim.Nanoseconds(k)/sim.Nanoseconds(count), true}
				if err := x.hand(remarks, do); err != nil {
					return err
				}
			}
		}
		return nil
	})
}
