package trace

import (
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"berth/engine/cluster"
	"berth/engine/diag"
	"berth/engine/input/csv"
	"berth/engine/input/workload"
	"berth/engine/show"
	"berth/engine/sim"
)

// row is one job of a foreign file: a number of identical tasks.
type row struct {
	id, user, class, models, state string
	submit, eligible, start, end   moment
	run, allows, since             moment // allows: requested running time; since: start of the current run
	fate                           fate
	unfinished                     bool            // the log ended before the job did
	starts                         int             // number of starts; 0 if the file does not state it
	last                           sim.Nanoseconds // time of its latest line
	array                          int             // number of jobs in the array that the row represents; 0: a single job
	tasks                          int
	runs                           []sim.Nanoseconds // running times of the first tasks, if they differ
	cpu, memory                    cluster.Amount    // per task, in cores and GiB
	gpus                           int               // per task
	share                          cluster.Amount    // share of the single GPU; 0: the whole GPU
	endless                        bool              // runs to the horizon if it has no end
	rounded                        bool              // the number of GPUs is above 1 but not an integer, so it was rounded
	line                           int
	key                            string   // name that dependent jobs use for it; "" if no job waits for it
	after                          []string // keys of the jobs it waits for
}

// moment is a time or a duration in nanoseconds, or unknown.
type moment struct {
	at    sim.Nanoseconds
	known bool
}

// read passes each row that counts to do. It adds the note of the table to the remarks and, if
// t.once is set, skips further rows with a known id.
func (t *table) read(name string, r io.Reader, remarks *workload.Remarks, do func(*row) error) error {
	if t.note != "" {
		remarks.Said = append(remarks.Said, t.note)
	}
	if t.once {
		do = firstOf(do)
	}
	return t.each(name, r, remarks, func(rows *rowsOf) error { return rows.row(remarks, do) })
}

// firstOf passes on only the first row with each id. More than maxRows different ids are an error.
func firstOf(do func(*row) error) func(*row) error {
	seen := map[string]bool{}
	return func(x *row) error {
		if seen[x.id] {
			return nil
		}
		if len(seen) == maxRows {
			return csv.FaultAt(0, diag.MoreThan, maxRows, "rows")
		}
		seen[strings.Clone(x.id)] = true
		return do(x)
	}
}

// row converts the row that was read and passes it on.
func (r *rowsOf) row(remarks *workload.Remarks, do func(*row) error) error {
	x := row{tasks: 1, line: r.Number}
	var f values
	for i := range r.cells {
		f.assign(&x, &r.cells[i])
	}
	if f.Err == nil && r.mend != nil {
		counts, err := r.mend(&x, r.text)
		if err == nil && !counts {
			return nil
		}
		f.Err = err
	}
	if f.Err != nil {
		return f.Err
	}
	if r.with[rowStart].At != missing && !x.start.known {
		x.fate = neverStarted
	}
	return x.hand(remarks, do)
}

func (r *rowsOf) text(column string) string {
	for i := range r.cells {
		if r.cells[i].name == column {
			return r.cells[i].Text
		}
	}
	return ""
}

// unknowns are the spellings of unknown values in the various formats.
var unknowns = []string{"", "-1", "4294967294", "4294967295", "NULL", "null", "None", "nan", "NaN", "Unknown", "UNLIMITED", "Partition_Limit", "N/A", "NONE"}

// assign stores a field in the row. It does not replace a time that an earlier column has set.
func (f *values) assign(x *row, c *cell) {
	if c.is == unused || c.is == rowExtra || slices.Contains(unknowns, c.Text) {
		return
	}
	switch c.is {
	case rowID:
		x.id += strings.Repeat("/", min(len(x.id), 1)) + c.Text
	case rowUser:
		x.user = c.Text
	case rowClass:
		x.class = c.Text
	case rowState:
		x.state = c.Text
	case rowModels:
		x.models = c.Text
	case rowSubmit:
		f.moment(&x.submit, c)
	case rowEligible:
		f.moment(&x.eligible, c)
	case rowStart:
		f.moment(&x.start, c)
	case rowEnd:
		f.moment(&x.end, c)
	case rowRun:
		f.moment(&x.run, c)
	case rowAllows:
		f.moment(&x.allows, c)
	default:
		f.counted(x, c)
	}
}

// counted converts a number of tasks, CPUs or GPUs or an amount of memory to the unit of the row,
// and stores it. It reports a number out of bounds.
func (f *values) counted(x *row, c *cell) {
	n, ok := show.ParseNumber(c.Text)
	if !ok || n < 0 || n > workload.MaxTasks*1e6 {
		f.Fail(c, notAmount.New(c.Text))
		return
	}
	switch c.unit {
	case inPercent:
		n /= 100
	case inMebi:
		n /= 1024
	}
	switch c.is {
	case rowTasks:
		if n > workload.MaxTasks {
			f.Fail(c, diag.MoreThan.New(workload.MaxTasks, "tasks"))
			return
		}
		x.tasks = int(n)
	case rowGPUs:
		if n > cluster.MaxGPUs {
			f.Fail(c, tooManyGPUs.New(c.Text, cluster.MaxGPUs))
			return
		}
		x.gpus, x.share = int(math.Ceil(n)), 0
		if n < 1 {
			x.share, _ = cluster.ToAmount(n)
		}
		x.rounded = n > 1 && n != math.Ceil(n)
	case rowCPU, rowMemory:
		a, err := cluster.ToAmount(n)
		f.Fail(c, err)
		if c.is == rowCPU {
			x.cpu = a
		} else {
			x.memory = a
		}
	}
}

// moment parses a time or a duration, unless it is already known.
func (f *values) moment(to *moment, c *cell) {
	if to.known {
		return
	}
	at, err := momentOf(c.Text, c.unit)
	if err == nil && at == 0 && c.unit == asMoment {
		return
	}
	if err != nil {
		f.Fail(c, err)
		return
	}
	*to = moment{at, true}
}

// latest is the largest time in seconds, about the year 2096 if counted from 1970.
const latest = workload.EpochTo

func momentOf(text string, u unit) (sim.Nanoseconds, error) {
	x, number := show.ParseNumber(text)
	switch {
	case u == asSpan && !number:
		return spanOf(text)
	case (u == asDate || u == asDateMillis) && !number:
		at, err := dateOf(text)
		return at, err
	case !number:
		return 0, notSecondsOf(text)
	}
	switch u {
	case inDays:
		x *= 86400
	case inMinutes:
		x *= 60
	case inMillis, asDateMillis:
		x /= 1000
	}
	if !(x >= -latest && x <= latest) {
		return 0, notTime.New(text, -latest, int64(latest))
	}
	return workload.Nanoseconds(x), nil
}

// dates are the accepted date formats. Dates without a zone are in UTC.
var dates = []string{"2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04:05Z07:00", "2006-01-02T15:04:05Z0700", "2006-01-02 15:04:05Z07:00", "2006-01-02", "2006/01/02 15:04:05", "20060102T150405Z0700"}

func dateOf(text string) (sim.Nanoseconds, error) {
	for _, form := range dates {
		at, err := time.Parse(form, text)
		if err == nil && at.Unix() > 0 && at.Unix() < latest {
			return sim.Nanoseconds(at.UnixNano()), nil
		}
	}
	return 0, notDate.New(text)
}

// spanOf parses D-HH:MM:SS, D-HH, HH:MM:SS or MM:SS, with decimals in the seconds.
func spanOf(text string) (sim.Nanoseconds, error) {
	wrong := notSpan.New(text)
	days, rest, has := strings.Cut(text, "-")
	if !has {
		days, rest = "0", text
	}
	total, err := strconv.ParseUint(days, 10, 16)
	if err != nil {
		return 0, wrong
	}
	parts := strings.Split(rest, ":")
	if len(parts) > 3 || !has && len(parts) < 2 {
		return 0, wrong
	}
	in := float64(total) * 86400
	weights := [3]float64{3600, 60, 1}
	if !has {
		copy(weights[:], weights[3-len(parts):])
	}
	for i, part := range parts {
		x, ok := show.ParseNumber(part)
		if !ok || x < 0 || x > 1e6 {
			return 0, wrong
		}
		in += float64(x * weights[i])
	}
	return workload.Nanoseconds(in), nil
}
