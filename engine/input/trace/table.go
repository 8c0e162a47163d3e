package trace

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"berth/engine/diag"
	"berth/engine/input/csv"
	"berth/engine/input/workload"
	"berth/engine/show"
)

// meaning says which property of a request or a host a column holds.
type meaning uint8

const (
	unused meaning = iota
	rowID
	rowUser
	rowTasks
	rowSubmit
	rowEligible
	rowStart
	rowEnd
	rowRun
	rowAllows
	rowCPU
	rowMemory
	rowGPUs
	rowModels
	rowClass
	rowState
	rowJob // columns of requests from here on
	rowPriority
	rowApart
	rowConstraints
	rowSLO
	rowAttributes // columns of hosts from here on
	rowCount
	rowSlots
	rowSpeed
	rowRack
	rowExtra // interpreted by the table's mend, or an attribute of a host
)

// unit is the unit or notation of the values in a column.
type unit uint8

const (
	plain unit = iota
	inSeconds
	inDays
	asDate    // date, or seconds since 1970
	asSpan    // D-HH:MM:SS
	inPercent // 100 is one unit
	inMillis
	asDateMillis // date, or milliseconds since 1970
	inMebi
	inMinutes
	asMoment      // seconds; 0 is unknown
	inThousandths // 1000 are one unit
)

type column struct {
	name string
	is   meaning
	unit unit
	need need
}

// need is how strictly a table requires a column.
type need uint8

const (
	may need = iota
	must
	tells // like must; these columns identify the format
)

// table describes the layout of a file with one request or host per row: its columns and its
// syntax.
type table struct {
	columns []column
	lines   manner
	mark    byte // column separator; 0 means comma
	// mend, if not nil, completes a row with facts that no single column states, and reports
	// whether the row counts. get returns a field by column name.
	mend    func(r *row, get func(column string) string) (counts bool, err error)
	once    bool   // only the first row with an id counts
	note    string // note for the reader of the results
	expects string // description of a line for errors; "" if a header has the columns
}

// manner is the layout of the lines of a table.
type manner uint8

const (
	untitled manner = iota // rows; the first line may be a header
	titled                 // rows below a header
	own                    // Berth's own: rows below a header, with as many fields as the header; other columns are errors
	exact                  // rows with as many fields as the table has columns; the first line may be a comment
	terms                  // Erlang terms with as many values as the table has columns
)

// columnsOf returns columns without a meaning, given their comma-separated names. A star after a
// name makes the column required, and the format is recognised by it.
func columnsOf(names string) (all []column) {
	for name := range strings.SplitSeq(names, ",") {
		c := column{name: strings.TrimSuffix(name, "*")}
		if c.name != name {
			c.need = tells
		}
		all = append(all, c)
	}
	return all
}

// each calls do for each row, until do returns [io.EOF] or another error.
func (t *table) each(name string, r io.Reader, remarks *workload.Remarks, do func(*rowsOf) error) error {
	rows, err := t.open(name, r, remarks)
	for err == nil {
		if err = rows.next(); err == nil {
			err = do(rows)
			if _, placed := err.(*diag.Diagnostic); err != nil && err != io.EOF && !placed {
				err = rows.Wrong(err, t.expects)
			}
		}
	}
	if err == io.EOF {
		return nil
	}
	return err
}

// rowsOf reads the rows of a file one by one.
type rowsOf struct {
	*table
	*csv.Lines
	place  []int  // by column: index of its field in a line; −1 if the file lacks the column
	width  int    // number of fields in the header
	first  string // the first line if it is not a header
	fields []csv.Field
	cells  []cell              // cells of the current row, in the order of the table's columns
	with   [rowExtra + 1]*cell // cells of the current row by meaning; absent for meanings without a column
}

// cell is a field of a row, or a term, with its column.
type cell struct {
	value
	*column
}

// missing is the offset of a cell whose column is not in the file.
const missing = -1

// absent represents a column that the table does not have.
var absent = &cell{value{Field: csv.Field{At: missing}}, &column{}}

// next reads the next row; io.EOF at the end.
func (r *rowsOf) next() (err error) {
	line := r.first
	if r.first = ""; line == "" {
		line, err = r.Next()
	}
	if err == nil && r.lines == exact && r.Number == 1 && line[0] == '#' {
		line, err = r.Next()
	}
	switch {
	case err != nil:
		return err
	case r.lines == terms:
		return r.ofTerm(line)
	}
	if r.fields, err = r.Fields(line, r.fields); err != nil {
		return err
	}
	switch n := len(r.fields); {
	case r.lines == exact && n != len(r.columns):
		return r.Wrong(csv.Miscount(line, r.fields, len(r.columns), fmt.Sprintf("not %d", len(r.columns))), r.expects)
	case r.lines == exact:
		for i, f := range r.fields {
			r.cells[i].Field = f
		}
		return nil
	case r.lines == own && n != r.width:
		return r.Wrong(csv.Miscount(line, r.fields, r.width, fmt.Sprintf("the header %d", r.width)), "")
	}
	for i, at := range r.place {
		switch {
		case at < 0:
			r.cells[i].Field = csv.Field{At: missing}
		case at < len(r.fields):
			r.cells[i].Field = r.fields[at]
		case r.columns[i].need != may:
			return r.Wrong(csv.Miscount(line, r.fields, at+1, fmt.Sprintf("and needs %d", at+1)), "")
		default:
			r.cells[i].Field = csv.Field{At: int32(len(line))}
		}
	}
	return nil
}

// ofTerm parses an Erlang term into cells. The text of a list cell is the rest of the line.
func (r *rowsOf) ofTerm(line string) error {
	term, err := parseTerm(line, len(r.columns))
	if err != nil {
		return r.Wrong(err, r.expects)
	}
	for i, v := range term {
		list := r.columns[i].is == rowConstraints || r.columns[i].is == rowAttributes
		if v.compound && !list {
			return r.Wrong(csv.FaultAt(v.At, notSingle, r.columns[i].name), r.expects)
		}
		if r.cells[i].value = v; v.compound {
			r.cells[i].Text = line[v.At:]
		}
	}
	return nil
}

// open starts reading a file and reads its header, if it has one.
func (t *table) open(name string, r io.Reader, remarks *workload.Remarks) (*rowsOf, error) {
	rows := &rowsOf{table: t, Lines: csv.NewLines(name, r), place: make([]int, len(t.columns)), cells: make([]cell, len(t.columns))}
	for is := range rows.with {
		rows.with[is] = absent
	}
	for i := range t.columns {
		rows.place[i], rows.cells[i].column, rows.with[t.columns[i].is] = i, &t.columns[i], &rows.cells[i]
	}
	if rows.Mark = t.mark; t.lines == exact || t.lines == terms {
		return rows, nil
	}
	first, err := rows.Next()
	switch {
	case err == io.EOF && t.lines == own:
		return nil, diag.New(name, max(rows.Number, 1), 1, noHeader, t.names(may))
	case err == io.EOF:
		return nil, diag.New(name, 1, 1, diag.EmptyFile)
	case err != nil:
		return nil, err
	}
	if t.mark == '|' && !strings.Contains(first, "|") {
		if second, err := rows.Next(); err == nil {
			rows.Rule(second)
		}
	}
	names, err := rows.Fields(first, nil)
	if err != nil {
		return nil, err
	}
	named := t.lines != untitled
	rows.width = len(names)
	named = named || slices.ContainsFunc(t.columns, func(c column) bool { return t.placeIn(names, c.name) >= 0 })
	if !named {
		rows.first = first
		return rows, nil
	}
	for i, c := range t.columns {
		rows.place[i] = t.placeIn(names, c.name)
	}
	return rows, rows.check(names, int32(len(first)), remarks)
}

// check checks the names in the header. It records unknown columns in the remarks.
func (r *rowsOf) check(names []csv.Field, end int32, remarks *workload.Remarks) error {
	what := "the columns "
	if r.lines == own {
		what = "the header "
	}
	for i, f := range names {
		switch is := slices.IndexFunc(r.columns, func(c column) bool { return r.isName(f.Text, c.name) }); {
		case r.lines == own && is < 0:
			return r.Wrong(csv.FaultAt(f.At, unknownColumn, f.Text, r.names(may)), "")
		case r.lines == own && r.place[is] != i:
			return r.Wrong(csv.FaultAt(f.At, columnTwice, f.Text), "")
		case !slices.Contains(r.place, i) && f.Text != "":
			remarks.Ignored = append(remarks.Ignored, fmt.Sprintf("%.40s", f.Text))
		}
	}
	for i, c := range r.columns {
		if c.need != may && r.place[i] < 0 {
			return r.Wrong(csv.FaultAt(end, diag.NoColumn, c.name), what+r.names(may))
		}
	}
	return nil
}

// placeIn returns the place of a column in a header, or −1.
func (t *table) placeIn(names []csv.Field, column string) int {
	return slices.IndexFunc(names, func(f csv.Field) bool { return t.isName(f.Text, column) })
}

func (t *table) isName(field, column string) bool {
	if t.lines == own {
		return field == column
	}
	return strings.EqualFold(strings.TrimPrefix(field, "#"), column)
}

// names returns the comma-separated names of the columns with at least the given need.
func (t *table) names(least need) string {
	all := slices.DeleteFunc(slices.Clone(t.columns), func(c column) bool { return c.need < least })
	return show.Joined(all, ",", func(c column) string { return c.name })
}
