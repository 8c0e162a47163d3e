package federatekind

import (
	"regexp"
	"slices"
	"strconv"

	"berth/engine/federate"
	"berth/engine/input/format/sniff"
	"berth/engine/parameter"
)

// Suggestion proposes a data centre for a trace.
type Suggestion struct {
	Workers    int      // size of the machine whose log the trace is; 0 if unknown
	Schedulers []string // schedulers that treat the jobs like the real machine; nil for the usual ones
	Why        string   // the reason for Schedulers, such as "the tasks ask for GPUs"
}

// sorts lists the formats of traces that need certain schedulers, by their names in package sniff.
// The function can selects the schedulers that suit the trace, from the simplest to the most
// complex.
var sorts = []struct {
	why     string
	formats []string
	first   []string
	can     func(federate.Facts) bool
}{
	{"the jobs are rigid: their tasks start together", []string{"swf", "gwf", "sacct", "sacct-json", "slurm-db", "pbs", "sge", "batsim", "batsim-jobs"},
		[]string{"fcfs", "easy", "fair"}, func(f federate.Facts) bool { return f.Rigid || f.Gangs }},
	{"the tasks ask for GPUs", []string{"openb-pods", "spot-gpu-jobs", "dlrm", "pai-task", "helios", "philly"},
		[]string{"fcfs", "sjf", "fair", "kubernetes"}, func(f federate.Facts) bool { return f.Pooled }},
}

// machineSizes match the number of processors in the header of a log. The first match counts.
var machineSizes = []*regexp.Regexp{
	regexp.MustCompile(`(?m)^;\s*MaxProcs:\s*(\d+)`), regexp.MustCompile(`(?m)^;\s*MaxNodes:\s*(\d+)`), regexp.MustCompile(`"nb_res"\s*:\s*(\d+)`),
}

// Suggest returns a suggestion for a trace that begins with head. It is the zero value if the
// format is not a trace of tasks.
func Suggest(head string) (s Suggestion) {
	found := sniff.Look(head, sniff.Tasks)
	if !found.Is(sniff.Tasks) {
		return s
	}
	for _, sort := range sorts {
		if !slices.Contains(sort.formats, found.Name) {
			continue
		}
		s.Why = sort.why
		for _, name := range sort.first {
			if p, ok := federate.Lookup(name); ok && sort.can(p.Facts) {
				s.Schedulers = append(s.Schedulers, name)
			}
		}
	}
	if found.Name != "swf" && found.Name != "batsim" {
		return s
	}
	for _, size := range machineSizes {
		if m := size.FindStringSubmatch(head); m != nil && s.Workers == 0 {
			s.Workers, _ = strconv.Atoi(m[1])
			s.Workers = min(s.Workers, int(parameter.Named(Parameters(), "workers").High))
		}
	}
	return s
}
