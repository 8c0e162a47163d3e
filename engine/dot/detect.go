package dot

import "berth/engine/graph"

// Role is the purpose of a graph.
type Role string

const (
	Unknown    Role = ""
	Deployment Role = "deployment"
	Federation Role = "federation"
)

// enough is the number of labels after which Detect decides.
const enough = 64

// Detect determines the role of a graph from the first labels in a file. Most labels occur in only
// one role. In a directed graph Detect ignores capacities such as cpu, because they may be requests
// of jobs.
func Detect(src []byte) Role {
	return elected(countVotes(string(src)))
}

// elected returns the role with more votes.
func elected(deployment, federation int) Role {
	switch {
	case deployment > federation:
		return Deployment
	case federation > deployment:
		return Federation
	}
	return Unknown
}

// countVotes counts the labels that occur in only one of the roles, up to enough.
func countVotes(src string) (deployment, federation int) {
	s, v := newScanner(&problems{src: src}), newVocabulary()
	vote := func(known func(graph.ElementKind) bool) {
		switch d, f := known(graph.Job) || known(graph.Dependency), known(graph.Cluster) || known(graph.Link); {
		case d && !f:
			deployment++
		case f && !d:
			federation++
		}
	}
	var key token
	for t := s.next(); t.kind != end && deployment+federation < enough; t = s.next() {
		switch {
		case t.kind == name && s.before == '=' && s.text(key) == "label":
			if d, ok := splitLabel(s.text(t)); ok {
				vote(func(on graph.ElementKind) bool { return graph.Lookup(on, d.label) != nil })
			}
		case t.kind == name && s.before == '=' && s.directed && v.capacity(s.text(key)):
		case t.kind == name && s.before == '=':
			vote(func(on graph.ElementKind) bool { return v[on][s.text(key)].label != nil })
		case t.kind == name:
			key = t
		}
	}
	return deployment, federation
}

// capacity reports whether an attribute is a figure of clusters other than a price.
func (v *vocabulary) capacity(attribute string) bool {
	of := v[graph.Cluster][attribute]
	return of.label != nil && !of.label.Fields[of.index].Price
}

// wrongRole reports whether a file has the other role. If so, it adds one error instead of an error
// for each label.
func wrongRole(p *problems, b *builder) bool {
	own, others := countVotes(p.src)
	want, other := Deployment, Federation
	if b.node == graph.Cluster {
		own, others, want, other = others, own, Federation, Deployment
	}
	if own > 0 || others == 0 {
		return false
	}
	p.errorAt(0, otherRole, other, want)
	return true
}
