package handover

import (
	"slices"

	"berth/engine/kube"
	"berth/engine/show"
)

// Note describes a difference between the simulation and the cluster.
type Note struct {
	Text    string
	ByClass bool // pods of a priority class without a service class get the lowest one
}

// differences are the constraints of pods that the simulation changes. Each has a text that names
// the first job with the constraint.
var differences = []struct {
	of   func(*kube.Shape) bool
	says string
}{
	{func(s *kube.Shape) bool { return len(s.With) > 0 }, "the simulation ignores that pods have to be near others, such as those of %s"},
	{func(s *kube.Shape) bool { return s.Requests.SharesSeveral() }, "pods that ask for shares of several GPUs, such as those of %s, take whole ones"},
	{func(s *kube.Shape) bool {
		return slices.ContainsFunc(s.AntiAffinity, func(a kube.Near) bool { return a.Key != "" })
	}, "pods with anti-affinity beyond hosts, such as those of %s, run on separate hosts in the simulation"},
}

// lowestClass says that the pods of a priority class, or pods without one for "", get a service
// class.
func lowestClass(priority, class string) Note {
	what := "without a priority class"
	if priority != "" {
		what = "of the priority class " + show.Quote(priority)
	}
	return Note{"pods " + what + " get the service class " + class, true}
}
