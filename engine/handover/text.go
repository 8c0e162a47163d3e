package handover

import "berth/engine/show"

// NoteKind is what a simulation does otherwise than the cluster.
type NoteKind uint8

// The kinds of notes.
const (
	NearIgnored   NoteKind = iota // pods have to be near others
	WholeGPU                      // pods ask for shares of several GPUs
	SeparateHosts                 // pods have anti-affinity beyond hosts
	LowestClass                   // the priority class of pods has no service class
)

// Note says what the simulation does otherwise.
type Note struct {
	Kind  NoteKind
	Of    string // the first job; of LowestClass the priority class, "" if there is none
	Class string // the service class of LowestClass
}

func (n Note) String() string {
	of := show.Quote(n.Of)
	switch n.Kind {
	case NearIgnored:
		return "the simulation ignores that pods have to be near others, such as those of " + of
	case WholeGPU:
		return "pods that ask for shares of several GPUs, such as those of " + of + ", take whole ones"
	case SeparateHosts:
		return "pods with anti-affinity beyond hosts, such as those of " + of + ", run on separate hosts in the simulation"
	}
	what := "without a priority class"
	if n.Of != "" {
		what = "of the priority class " + of
	}
	return "pods " + what + " get the service class " + n.Class
}
