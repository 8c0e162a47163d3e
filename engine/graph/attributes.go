package graph

import "berth/engine/rule"

// Current is the attribute of a job that holds the id of its current cluster.
const Current = "current"

// attribute is a named attribute of elements, such as region. Its value is "" for elements without
// it.
type attribute struct {
	name   string
	values []string // by element; may be shorter, then the rest is ""
}

// Attributes returns the names of all attributes, in the order of first use.
func (e *Elements) Attributes() []string {
	names := make([]string, len(e.attributes))
	for a := range names {
		names[a] = e.attributes[a].name
	}
	return names
}

// Attribute returns the value of an attribute of element i, "" if it has none. For a cluster, the
// attribute [rule.Cluster] is its id.
func (e *Elements) Attribute(name string, i int) string {
	if e.kind == Cluster && name == rule.Cluster {
		return e.ids[i]
	}
	for _, a := range e.attributes {
		if a.name == name && i < len(a.values) {
			return a.values[i]
		}
	}
	return ""
}

// SetAttribute sets an attribute of element i; "" removes it.
func (e *Elements) SetAttribute(name string, i int, value string) {
	at := 0
	for at < len(e.attributes) && e.attributes[at].name != name {
		at++
	}
	if at == len(e.attributes) {
		e.attributes = append(e.attributes, attribute{name: name})
	}
	a := &e.attributes[at]
	for len(a.values) <= i {
		a.values = append(a.values, "")
	}
	a.values[i] = value
}

// Copy adds the labels and attributes of element other of from, which has the same kind, to element
// i.
func (e *Elements) Copy(i int, from *Elements, other int) {
	for _, l := range from.Labels(other) {
		e.SetLabel(l.Type, i, l.Values)
	}
	for _, name := range from.Attributes() {
		if value := from.Attribute(name, other); value != "" {
			e.SetAttribute(name, i, value)
		}
	}
}
