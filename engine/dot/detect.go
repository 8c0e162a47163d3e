package dot

import (
	"fmt"

	"berth/engine/graph"
)

// Role is the purpose of a graph.
type Role uint8

const (
	Unknown Role = iota
	Deployment
	Federation
)

func (r Role) String() string { return [...]string{"unknown", "deployment", "federation"}[r] }

// MarshalText returns unknown, deployment or federation.
func (r Role) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText parses the output of MarshalText.
func (r *Role) UnmarshalText(text []byte) error {
	for *r = Unknown; *r <= Federation; *r++ {
		if r.String() == string(text) {
			return nil
		}
	}
	*r = Unknown
	return fmt.Errorf("role %q: expected unknown, deployment or federation", text)
}

// enough is the number of labels that suffice to determine the role of a graph.
const enough = 64

// Detect determines the role of a graph from the first labels in a file. Most labels
// occur in only one of the roles.
func Detect(src []byte) Role {
	votes := countVotes(string(src))
	switch {
	case votes[Deployment] > votes[Federation]:
		return Deployment
	case votes[Federation] > votes[Deployment]:
		return Federation
	}
	return Unknown
}

func countVotes(src string) (votes [3]int) {
	s, v := newScanner(&problems{src: src}), newVocabulary()
	var key token
	for t := s.next(); t.kind != end && votes[Deployment]+votes[Federation] < enough; t = s.next() {
		switch {
		case t.kind == name && s.before == '=' && s.text(key) == "label":
			if d, ok := splitLabel(s.text(t)); ok {
				votes[roleOf(func(on graph.ElementKind) bool { return graph.Lookup(on, d.label) != nil })]++
			}
		case t.kind == name && s.before == '=':
			votes[roleOf(func(on graph.ElementKind) bool { return v[on][s.text(key)].label != nil })]++
		case t.kind == name:
			key = t
		}
	}
	return votes
}

// roleOf returns the role if exactly one role knows a label.
func roleOf(known func(graph.ElementKind) bool) Role {
	switch d, f := known(graph.Job) || known(graph.Dependency), known(graph.Cluster) || known(graph.Link); {
	case d && !f:
		return Deployment
	case f && !d:
		return Federation
	}
	return Unknown
}

// wrongRole reports one error if a file has the other role, instead of an error for
// each label.
func wrongRole(p *problems, b *builder) bool {
	want, other := Deployment, Federation
	if b.node == graph.Cluster {
		want, other = Federation, Deployment
	}
	votes := countVotes(p.src)
	if votes[want] > 0 || votes[other] == 0 {
		return false
	}
	p.errorAt(0, otherRole, other, want)
	return true
}
