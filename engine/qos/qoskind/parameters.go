package qoskind

import (
	"strconv"

	"berth/engine/parameter"
	"berth/engine/qos"
	"berth/engine/workload"
)

// parameters are the parameters of a document that the command line has, too.
var parameters = []parameter.Parameter{
	duration("margin", 0, "safety margin φ", "safety margin φ of classes without their own, a `DURATION` (default of the preset)", "of the preset"),
	duration("watchdog", 0.001, "watchdog", "longest `TIME` between two passes (default of the preset)", "of the preset"),
	{
		Name: "alpha", Title: "α, overhead", Unit: "s", High: maxSeconds, Usual: "mean of the set", Word: "mean",
		Help: "expected time of an allocation: `mean` of the overheads, or a duration (default mean)",
	},
	{
		Name: "horizon", Title: "horizon", Unit: "s", Low: 0.001, High: maxSeconds, OrZero: true, Usual: "until all requests end",
		Help: "`TIME` to simulate from the first arrival (default 0s: until all requests end)", Hint: "From the first arrival",
	},
	window("first", "first requests", "simulate only the first `NUMBER` of requests (default all)", "", workload.MaxTasks),
	window("from", "arrivals from", "simulate the requests that come at this `TIME` after the first one or later (default all)", "s", maxSeconds),
	window("to", "arrivals before", "simulate the requests that come before this `TIME` after the first one (default all)", "s", maxSeconds),
	window("every", "every k-th request", "simulate every `NUMBER`-th request (default all)", "", workload.MaxTasks),
	{
		Name: "sample", Path: "sample.part", Title: "sample of the users", Unit: parameter.Percent, Low: 1e-6, High: 1, Usual: "all of them",
		Help: "simulate the requests of this `PART` of the users, drawn from each group of k-means (default all)",
		Hint: "k-means groups the users, and this share of each group is simulated; the paper has 10 %. The trace has to name users.",
	},
	{
		Name: "sampleGroups", Path: "sample.groups", Title: "groups of users", Low: 1, High: MaxGroups, Whole: true, Usual: strconv.Itoa(DefaultGroups),
		Help: "`NUMBER` of groups of users (default " + strconv.Itoa(DefaultGroups) + ")",
		Hint: "Users of a group submit similar numbers of requests, which differ by similar amounts",
	},
	{
		Name: "admission", Path: "admission.limit", Title: "admit up to, of the hosts", Unit: parameter.Percent, Above: true, High: 1, Usual: "everything",
		Help: "admit a request if all active ones then ask for at most this `PART` of all hosts (default all are admitted)",
		Hint: "A request is admitted if all active ones then ask for at most this share of all hosts; the thesis has 90, 95 and 100 %.",
	},
	{
		Name: "admissionAtStart", Path: "admission.atStart", Title: "the same at time 0", Unit: parameter.Percent, Above: true, High: 1, Usual: "20 % less",
		Help: "the same `PART` at time 0 (default 0.2 less)", Hint: "For the requests at the start of the trace",
	},
}

// runParameters are the parameters of a policy run with optimisations.
var runParameters = []parameter.Parameter{
	savingTime("cacheValidity", "a score is valid for", "but at most for this `TIME`; a policy that depends on Q needs it (default no limit)", "until the host changes"),
	savingTime("qTolerance", "tolerance on Q", "treat values of Q within intervals of this `TIME` as equal (default exactly equal)", "equal Q"),
	{
		Name: "relaxed", Path: "savings.relaxed", Title: "enough feasible hosts, of all", Unit: parameter.Percent, Above: true, High: 1, Usual: "all",
		Help: "check hosts in random order until this `PART` of all hosts can take the request (default: check all)",
	},
}

// documentParameters are those that documents alone have: the command line has one
// seed and records nothing over time.
var documentParameters = []parameter.Parameter{
	{Name: "seeds", Title: "seeds", Low: 1, High: MaxSeeds, Whole: true, Default: 1},
	{Name: "pointEvery", Unit: "s", Low: 1, High: maxSeconds, OrZero: true, Default: 60},
	{Name: "fairnessEvery", Unit: "s", Low: 1, High: maxSeconds, OrZero: true, Default: 600},
}

func duration(name string, least float64, title, help, usual string) parameter.Parameter {
	return parameter.Parameter{Name: name, Title: title, Help: help, Unit: "s", Low: least, High: maxSeconds, Usual: usual}
}

// window bounds the part of the workload that is simulated.
func window(name, title, help, unit string, most float64) parameter.Parameter {
	return parameter.Parameter{Name: name, Path: "window." + name, Title: title, Help: help, Unit: unit, High: most, Whole: unit == "", Usual: "all"}
}

func savingTime(name, title, help, usual string) parameter.Parameter {
	p := duration(name, 0.001, title, help, usual)
	p.Path = "savings." + name
	return p
}

// Parameters lists the parameters of a document that the command line has, too.
func Parameters() []parameter.Parameter { return parameters }

// RunParameters are the parameters of a [PolicyRun] with optimisations.
func RunParameters() []parameter.Parameter { return runParameters }

// ParameterNamed returns a parameter of a document, or of a [PolicyRun], by its
// name; it must exist.
func ParameterNamed(name string) *parameter.Parameter {
	for _, rows := range [][]parameter.Parameter{parameters, runParameters, documentParameters} {
		if i := parameter.Index(rows, name); i >= 0 {
			return &rows[i]
		}
	}
	panic("qos: there is no parameter " + name)
}

// ofPolicy are the parameters of a run of a policy.
func ofPolicy(name string) []parameter.Parameter {
	policy, _ := qos.Lookup(name)
	return append(parameter.Below("parameters", policy.Parameters), runParameters...)
}
