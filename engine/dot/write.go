package dot

import (
	"bufio"
	"fmt"
	"io"
	"strconv"

	"berth/engine/graph"
)

// Dialect is one of the two ways to write a graph.
type Dialect string

const (
	Thesis Dialect = "thesis" // figures in label attributes
	Plain  Dialect = "plain"  // figures in attributes of their own
)

// WriteDeployment writes a deployment, which reads back to the same. A name that
// DOT cannot write (see [Quotable]) is an error.
func WriteDeployment(w io.Writer, d *graph.Deployment, dialect Dialect) error {
	return write(w, dialect, d.DOTName, "", d.Jobs(), d.Dependencies(), d.Ends)
}

// WriteFederation writes a federation with the links that are given, and with
// its centre if it is a star. It reads back to the same.
func WriteFederation(w io.Writer, f *graph.Federation, dialect Dialect) error {
	center := ""
	if c := f.Center(); c >= 0 {
		center = "\tcenter=" + Quote(f.Clusters().ID(c)) + ";\n"
	}
	return write(w, dialect, f.DOTName, center, f.Clusters(), f.Links(), f.Ends)
}

func write(out io.Writer, dialect Dialect, name, attributes string, nodes, edges *graph.Elements, ends func(int) (int, int)) error {
	if dialect != Thesis && dialect != Plain {
		return fmt.Errorf("unknown dialect %q: expected %s or %s", dialect, Thesis, Plain)
	}
	w := &writer{Writer: bufio.NewWriter(out), dialect: dialect}
	w.WriteString("graph ")
	if name != "" {
		w.WriteString(w.quote(name) + " ")
	}
	w.WriteString("{\n" + attributes)
	for i := range nodes.Len() {
		w.element(w.quote(nodes.ID(i)), nodes, i)
	}
	for k := range edges.Len() {
		a, b := ends(k)
		w.element(Quote(nodes.ID(a))+" -- "+Quote(nodes.ID(b)), edges, k)
	}
	w.WriteString("}\n")
	if w.err != nil {
		return w.err
	}
	return w.Flush()
}

// writer writes elements; it keeps the first name that it cannot write.
type writer struct {
	*bufio.Writer
	dialect Dialect
	err     error
}

func (w *writer) quote(s string) string {
	if !Quotable(s) && w.err == nil {
		w.err = fmt.Errorf("DOT has no way to write the name %q: it has a backslash at its end or before a quote or new line, or bytes that are not text", s)
	}
	return Quote(s)
}

// drawn writes the name to draw: as HTML if it would read as data otherwise.
func (w *writer) drawn(name string) string {
	d, isData := splitLabel(name)
	if name != `\N` && !(isData && (d.numeric || d.known())) {
		if s := w.quote(name); s != name || w.dialect == Plain {
			return s
		}
		return `"` + name + `"`
	}
	if !inBrackets(name) && w.err == nil {
		w.err = fmt.Errorf("DOT has no way to write the name %q, which looks like a label with data", name)
	}
	return "<" + name + ">"
}

// element writes one statement.
func (w *writer) element(id string, all *graph.Elements, i int) {
	w.WriteString("\t" + id + " [")
	separator := ""
	for _, l := range graph.Labels(all.Kind()) {
		if !all.Has(l, i) {
			continue
		}
		w.WriteString(separator)
		separator = ", "
		if w.dialect == Thesis {
			w.thesis(l, all.Values(l, i))
		} else {
			w.plain(l, all.Values(l, i))
		}
	}
	isNode := all.Kind() == graph.Job || all.Kind() == graph.Cluster
	if name := all.Name(i); w.dialect == Thesis || isNode && name != all.ID(i) || !isNode && name != "" {
		w.WriteString(separator + "label=" + w.drawn(name))
	}
	w.WriteString("];\n")
}

func (w *writer) thesis(l *graph.LabelType, values []float64) {
	w.WriteString(`label="` + l.Name)
	for f, spec := range l.Fields {
		if !spec.Optional || values[f] != spec.Absent {
			w.WriteString(" - " + spec.Name + ":" + number(values[f]))
		}
	}
	w.WriteByte('"')
}

func (w *writer) plain(l *graph.LabelType, values []float64) {
	separator := ""
	for f, spec := range l.Fields {
		if !spec.Optional || values[f] != spec.Absent {
			w.WriteString(separator + field{l, f}.attribute() + "=" + Quote(number(values[f])))
			separator = ", "
		}
	}
}

// number writes the fewest digits that read back to x, without an exponent
// where that stays short.
func number(x float64) string {
	if x != 0 && (x < 1e-6 || x >= 1e15) {
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
	return strconv.FormatFloat(x, 'f', -1, 64)
}
