package dot

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"berth/engine/graph"
	"berth/engine/rule"
	"berth/engine/show"
)

// Dialect is one of the two notations of a graph.
type Dialect string

const (
	Thesis Dialect = "thesis" // figures in label attributes
	Plain  Dialect = "plain"  // figures in separate attributes
)

// WriteDeployment writes a deployment so that the reader restores it exactly. A name that DOT
// cannot express (see [Quotable]) is an error.
func WriteDeployment(w io.Writer, d *graph.Deployment, dialect Dialect) error {
	rules := ""
	if len(d.Rules) > 0 {
		rules = "\t" + rulesKey + "=" + Quote(rule.Text(d.Rules)) + ";\n"
	}
	return write(w, dialect, d.DOTName, rules, d.Jobs(), d.Dependencies(), d.Ends)
}

// WriteFederation writes a federation with its given links, and its centre if it is a star, so that
// the reader restores it exactly. A name that DOT cannot express is an error.
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
	if err := checkNames(name, nodes, edges); err != nil {
		return err
	}
	w := bufio.NewWriter(out)
	w.WriteString("graph ")
	if name != "" {
		w.WriteString(Quote(name) + " ")
	}
	w.WriteString("{\n" + attributes)
	for i := range nodes.Len() {
		fmt.Fprintf(w, "\t%s [%s];\n", Quote(nodes.ID(i)), Attributes(nodes, i, dialect))
	}
	for k := range edges.Len() {
		a, b := ends(k)
		fmt.Fprintf(w, "\t%s -- %s [%s];\n", Quote(nodes.ID(a)), Quote(nodes.ID(b)), Attributes(edges, k, dialect))
	}
	w.WriteString("}\n")
	return w.Flush()
}

// checkNames returns an error for a name that the reader would not restore exactly.
func checkNames(name string, nodes, edges *graph.Elements) error {
	ok := Quotable(name)
	for i := 0; i < nodes.Len() && ok; i++ {
		name = nodes.ID(i)
		if Quotable(name) {
			name = nodes.Drawn(i).Text
		}
		ok = Quotable(name) && drawable(nodes.Drawn(i), nodes.ID(i))
	}
	for k := 0; k < edges.Len() && ok; k++ {
		name = edges.Name(k)
		ok = drawable(edges.Drawn(k), "")
	}
	if !ok {
		return fmt.Errorf("DOT cannot write the name %s: it is not text, or has a backslash at its end or before a quote or new line, or looks like a label with data", show.Quote(name))
	}
	return nil
}

// Attributes formats the attributes of one element without brackets: its labels, its other
// attributes, and the text to draw.
func Attributes(all *graph.Elements, i int, dialect Dialect) string {
	var attributes []string
	for _, l := range graph.Labels(all.Kind()) {
		if all.Has(l, i) {
			attributes = append(attributes, labelAttributes(l, all.Values(l, i), dialect))
		}
	}
	for _, name := range all.Attributes() {
		if value := all.Attribute(name, i); value != "" {
			attributes = append(attributes, Quote(name)+"="+Quote(value))
		}
	}
	id := ""
	if all.Kind() == graph.Job || all.Kind() == graph.Cluster {
		id = all.ID(i)
	}
	if d := all.Drawn(i); dialect == Thesis || d.HTML || d.Given && d.Text != id {
		attributes = append(attributes, "label="+quoteDrawn(d, id))
	}
	return strings.Join(attributes, ", ")
}

func labelAttributes(l *graph.LabelType, values []float64, dialect Dialect) string {
	parts := []string{}
	for f, spec := range l.Fields {
		switch {
		case spec.Optional && values[f] == spec.Absent, spec.Price && math.IsNaN(values[f]): // absent or unknown
		case dialect == Thesis:
			parts = append(parts, " - "+spec.Name+":"+number(values[f]))
		default:
			parts = append(parts, Quote(labelField{l, f}.attribute())+"="+Quote(plain(spec, values[f])))
		}
	}
	if dialect == Thesis {
		return `label="` + l.Name + strings.Join(parts, "") + `"`
	}
	return strings.Join(parts, ", ")
}

// plain formats a figure for a plain attribute.
func plain(f graph.Field, x float64) string {
	if f.Word {
		return strconv.FormatBool(x != 0)
	}
	return number(x)
}

// quoteDrawn formats the text to draw on an element, or its id if no text is set. It always quotes
// the text, as the thesis does. Only HTML, and text that would be read as a label with data, goes
// in angle brackets.
func quoteDrawn(d graph.Drawn, id string) string {
	text := d.Text
	if !d.Given {
		text = id
	}
	switch quoted := Quote(text); {
	case d.HTML, readsAsData(text):
		return "<" + text + ">"
	case quoted == text:
		return `"` + text + `"`
	default:
		return quoted
	}
}

func readsAsData(name string) bool {
	d, isData := splitLabel(name)
	return name == `\N` || isData && (d.numeric || d.known())
}

// drawable reports whether the reader restores the output of quoteDrawn.
func drawable(d graph.Drawn, id string) bool {
	text := d.Text
	if !d.Given {
		text = id
	}
	return Quotable(text) && (!d.HTML && !readsAsData(text) || inBrackets(text))
}

// number formats x with the fewest digits that parse back to x. It uses an exponent only for very
// small and very large numbers.
func number(x float64) string {
	if x != 0 && (x < 1e-6 || x >= 1e15) {
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
	return strconv.FormatFloat(x, 'f', -1, 64)
}
