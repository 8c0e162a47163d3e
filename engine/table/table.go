package table

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// Width is the largest width of a table in characters. A single subject with a long name may exceed
// it.
const Width = 80

// gap separates two columns.
const gap = "  "

// Table collects the figures of subjects.
type Table struct {
	title    string
	figures  []string
	subjects []string
	cells    [][]string // by subject
}

// New returns a table with the given rows. The title is the heading of the first column, above
// their names.
func New(title string, figures ...string) *Table {
	return &Table{title: title, figures: figures}
}

// Add adds a subject with its figures, in the order of the rows. Missing cells at the end stay
// empty.
func (t *Table) Add(subject string, cells ...string) {
	t.subjects = append(t.subjects, subject)
	t.cells = append(t.cells, append(cells, make([]string, len(t.figures)-len(cells))...))
}

// Write writes the table. It omits figures that are empty for all subjects.
func (t *Table) Write(w io.Writer) {
	names := longest(append([]string{t.title}, t.figures...))
	for from := 0; from < len(t.subjects); {
		to, width := from, names
		for to < len(t.subjects) && (to == from || width+len(gap)+t.width(to) <= Width) {
			width += len(gap) + t.width(to)
			to++
		}
		if from > 0 {
			fmt.Fprintln(w)
		}
		t.block(w, names, from, to)
		from = to
	}
}

// block writes the subjects [from, to) side by side.
func (t *Table) block(w io.Writer, names, from, to int) {
	var b strings.Builder
	row := func(name string, cell func(i int) string) {
		b.WriteString(name + strings.Repeat(" ", names-utf8.RuneCountInString(name)))
		for i := from; i < to; i++ {
			text := cell(i)
			b.WriteString(gap + strings.Repeat(" ", t.width(i)-utf8.RuneCountInString(text)) + text)
		}
		fmt.Fprintln(w, strings.TrimRight(b.String(), " "))
		b.Reset()
	}
	row(t.title, func(i int) string { return t.subjects[i] })
	for f, name := range t.figures {
		if t.empty(f) {
			continue
		}
		row(name, func(i int) string { return t.cells[i][f] })
	}
}

func (t *Table) width(subject int) int {
	return longest(append([]string{t.subjects[subject]}, t.cells[subject]...))
}

func (t *Table) empty(figure int) bool {
	return !slices.ContainsFunc(t.cells, func(cells []string) bool { return cells[figure] != "" })
}

func longest(texts []string) int {
	most := 0
	for _, text := range texts {
		most = max(most, utf8.RuneCountInString(text))
	}
	return most
}
