package handover

import "berth/engine/show"

// NoteKind is a kind of difference between the simulation and the cluster.
type NoteKind uint8

// The kinds of notes.
const (
	NearIgnored   NoteKind = iota // affinity to other pods is ignored
	WholeGPU                      // pods that request shares of several GPUs get whole GPUs
	SeparateHosts                 // anti-affinity in domains larger than a host applies to hosts only
	LowestClass                   // pods whose priority class has no service class get the lowest one
)

// Note describes a difference between the simulation and the cluster.
type Note struct {
	Kind  NoteKind
	Of    string // name of the first such job; for LowestClass the priority class, "" for pods without one
	Class string // for LowestClass: the service class they get
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
