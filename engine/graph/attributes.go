package graph

import "berth/engine/rule"

// Current is the attribute of a job that says on which cluster it stands now.
const Current = "current"

// attribute is one word of some elements, such as region; "" where an element has none.
type attribute struct {
	name   string
	values []string // of the first elements
}

// Attributes returns the names of the attributes that some element has, in the order in
// which they came.
func (e *Elements) Attributes() []string {
	names := make([]string, len(e.attributes))
	for a := range names {
		names[a] = e.attributes[a].name
	}
	return names
}

// Attribute returns what an element has of an attribute, "" for nothing. A cluster's
// [rule.Cluster] is its id.
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

// SetAttribute gives an element an attribute; "" takes it away.
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

// Copy gives element i the labels and attributes of another one of the same kind, on top
// of its own.
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
