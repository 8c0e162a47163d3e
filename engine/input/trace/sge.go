package trace

import (
	"io"
	"slices"
	"strings"

	"berth/engine/input/csv"
	"berth/engine/input/format/sniff"
	"berth/engine/input/workload"
	"berth/engine/show"
)

// Indexes of the fields of a Grid Engine accounting entry. The first group counts from the
// beginning of the entry. Resource usage figures, whose number depends on the version, follow from
// sgeUsed on. The second group counts from the first field after them that is not a number.
const (
	sgeOwner, sgeJob, sgeSubmit, sgeStart, sgeEnd, sgeUsed = 3, 5, 8, 9, 10, 14
	sgeSlots, sgeTask, sgeCategory, sgeParallel            = 3, 4, 8, 10
)

var sge = fileFormat{
	Format: sniff.Format{Name: "sge", Of: "Grid Engine", What: "an accounting file of Grid Engine", For: sniff.Jobs,
		Syntax: sniff.Table, Mark: ':', Fit: sniff.Row(95, "*,*,*,*,*,#,*,*,#,#"+strings.Repeat(",*", 32)+",…")},
	unit: "job", gang: true, stops: true, expects: "the accounting of Grid Engine", rows: readSGE,
}

// readSGE reads the accounting of Grid Engine: fields separated by colons, times in seconds since
// 1970, 0 for none. If tasks of a parallel job have entries of their own, these are parts of the
// job.
func readSGE(name string, r io.Reader, remarks *workload.Remarks, do func(*row) error) error {
	lines := csv.NewLines(name, r)
	lines.Mark = ':'
	var fields []csv.Field
	return lines.Each(func(line string) (err error) {
		if line[0] == '#' {
			return nil
		}
		if fields, err = lines.Fields(line, fields); err != nil {
			return err
		}
		behind := len(fields)
		if len(fields) > sgeUsed {
			behind = sgeUsed + slices.IndexFunc(append(fields[sgeUsed:], csv.Field{}), func(f csv.Field) bool {
				_, number := show.ParseNumber(f.Text)
				return !number
			})
		}
		if len(fields) <= behind+sgeParallel {
			return lines.Refuse(noSGE)
		}
		x := row{line: lines.Number, user: fields[sgeOwner].Text, id: fields[sgeJob].Text}
		var f values
		for _, c := range []struct {
			column
			at int
		}{
			{column{"submission_time", rowSubmit, asMoment, must}, sgeSubmit}, {column{"start_time", rowStart, asMoment, must}, sgeStart},
			{column{"end_time", rowEnd, asMoment, must}, sgeEnd}, {column{"slots", rowTasks, plain, must}, behind + sgeSlots},
		} {
			f.assign(&x, &cell{value{Field: fields[c.at]}, &c.column})
		}
		if f.Err != nil {
			return lines.Wrong(f.Err, "")
		}
		if n := fields[behind+sgeTask].Text; n != "0" {
			x.id += "." + n
		}
		switch {
		case fields[behind+sgeParallel].Text != "NONE":
			x.fate = partOfOther
		case !x.start.known:
			x.fate, x.state = neverStarted, "deleted"
		}
		if _, limit, found := strings.Cut(fields[behind+sgeCategory].Text, "h_rt="); found {
			f.moment(&x.allows, &cell{value{Field: csv.Field{Text: limit[:len(limit)-len(strings.TrimLeft(limit, "0123456789"))]}}, &column{name: "h_rt", unit: inSeconds}})
		}
		if err = x.hand(remarks, do); err != nil && err != io.EOF {
			return lines.Wrong(err, "")
		}
		return err
	})
}
