package federatekind

import (
	"regexp"
	"slices"
	"strconv"

	"berth/engine/federate"
	"berth/engine/input/format/sniff"
	"berth/engine/parameter"
)

// Suggestion is a data centre that suits a trace.
type Suggestion struct {
	Workers    int      // of the machine that the trace is a log of; 0 if it does not say
	Schedulers []string // that run its jobs as they ran; nil for the usual ones
	Why        string   // they do: "the jobs are rigid"
}

// sorts are the formats of traces that ask for certain schedulers, by their names in package
// sniff: of several that can run them, the simplest first.
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

// machineSizes find the number of processors in the head of a log.
var machineSizes = []*regexp.Regexp{
	regexp.MustCompile(`(?m)^;\s*MaxProcs:\s*(\d+)`), regexp.MustCompile(`(?m)^;\s*MaxNodes:\s*(\d+)`), regexp.MustCompile(`"nb_res"\s*:\s*(\d+)`),
}

// Suggest returns what suits a trace that begins like that.
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
