package qoskind

import (
	"fmt"
	"slices"
	"strconv"

	"berth/engine/cluster"
	"berth/engine/input/workload"
	"berth/engine/parameter"
	"berth/engine/qos"
	"berth/engine/show"
)

// parameters lists the parameters of a document that the command line also has.
var parameters = []parameter.Parameter{
	{Name: "preset", Title: "preset", Help: "margin and watchdog", Hint: "paper: the values in the text; logs: the values of the published simulations", Choices: []parameter.Choice{preset(qos.Logs), preset(qos.Paper)}},
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

// runParameters lists the optimisations of a policy run.
var runParameters = []parameter.Parameter{
	{Name: "scoreCaching", Path: "savings.scoreCaching", Title: "score caching", Help: "cache the score of a host until the host changes", Switch: true},
	{
		Name: "equivalenceClass", Path: "savings.equivalenceClass", Title: "equivalence class", Switch: true,
		Help: "check a host once for all equal requests; if the policy depends on Q, for those of equal Q",
	},
	savingTime("cacheValidity", "a score is valid for", "but at most for this `TIME`; a policy that depends on Q needs it (default no limit)", "until the host changes"),
	savingTime("qTolerance", "tolerance on Q", "treat values of Q within intervals of this `TIME` as equal (default exactly equal)", "equal Q"),
	{
		Name: "relaxed", Path: "savings.relaxed", Title: "enough feasible hosts, of all", Unit: parameter.Percent, Above: true, High: 1, Usual: "all",
		Help: "check hosts in random order until this `PART` of all hosts can take the request (default: check all)",
	},
	{
		Name: "pruning", Path: "savings.pruning", Title: "pruning of the queue", Choices: []parameter.Choice{{Name: "none"}, {Name: "printed", Title: "as printed"}, {Name: "safe"}},
		Help: "skip a request that asks for at least as much as one that failed in the same pass",
		Hint: "Pruning as printed may skip a request that would fit; safe pruning changes no decision.",
	},
}

// documentParameters lists the parameters that only documents have, because the command line runs
// one seed and records no time series.
var documentParameters = []parameter.Parameter{
	{Name: "firstOverheadPending", Title: "the first allocation counts as pending time", Switch: true},
	{Name: "seeds", Title: "seeds", Low: 1, High: MaxSeeds, Whole: true, Default: 1},
	{Name: "pointEvery", Unit: "s", Low: 1, High: maxSeconds, OrZero: true, Default: 60},
	{Name: "fairnessEvery", Unit: "s", Low: 1, High: maxSeconds, OrZero: true, Default: 600},
}

func preset(p qos.Preset) parameter.Choice {
	return parameter.Choice{Name: p.Name, Title: fmt.Sprintf("%s: φ and watchdog %s s", p.Name, show.Number(seconds(p.Margin)))}
}

func duration(name string, least float64, title, help, usual string) parameter.Parameter {
	return parameter.Parameter{Name: name, Title: title, Help: help, Unit: "s", Low: least, High: maxSeconds, Usual: usual}
}

// window returns a parameter of the simulated window of the workload.
func window(name, title, help, unit string, most float64) parameter.Parameter {
	return parameter.Parameter{Name: name, Path: "window." + name, Title: title, Help: help, Unit: unit, High: most, Whole: unit == "", Usual: "all"}
}

func savingTime(name, title, help, usual string) parameter.Parameter {
	p := duration(name, 0.001, title, help, usual)
	p.Path = "savings." + name
	return p
}

// Parameters returns the parameters of a document that the command line also has.
func Parameters() []parameter.Parameter { return parameters }

// RunParameters returns the parameters for the optimisations of a [PolicyRun].
func RunParameters() []parameter.Parameter { return runParameters }

// ParameterNamed returns a parameter of a document or of a [PolicyRun]. The name must exist.
func ParameterNamed(name string) *parameter.Parameter {
	return parameter.Named(slices.Concat(parameters, runParameters, documentParameters), name)
}

// ClassFields lists the numbers in a [Class], ControllerFields the numbers and switches in a
// [Controller], and HostEventFields the fields of a [HostEvent] that have bounds or choices.
var (
	ClassFields = []parameter.Parameter{
		{Name: "slo", Title: "SLO", Hint: "Availability promised, from 0.01 to 1", Low: 0.01, High: 1, Required: true},
		{Name: "importance", Title: "rank", Hint: "Importance; 1 is the most important", Low: 1, High: MaxClasses, Whole: true},
		{Name: "margin", Title: "φ", Hint: "Safety margin of the class", Unit: "s", High: maxSeconds},
		{Name: "limit", Title: "limit", Hint: "Share of its time that an instance may lose to preemptions before it is protected; 1 − SLO if empty", High: 1},
	}
	ControllerFields = []parameter.Parameter{
		{Name: "cpu", Title: "CPU", Hint: "CPU of an instance", Low: least, High: cluster.MaxAmount.Units(), Required: true},
		{Name: "memory", Title: "memory", Hint: "Memory of an instance", Low: least, High: cluster.MaxAmount.Units(), Required: true},
		{
			Name: "measure", Title: "measure", Choices: parameter.Choose(Measures()...),
			Hint: "Independent: the lowest availability of its instances; concurrent: time in which all run; aggregated: time in which any runs, as for jobs",
		},
		{Name: "submit", Title: "from", Hint: "When it is submitted", Unit: "s", High: maxSeconds, Usual: "0"},
		{Name: "duration", Title: "for", Hint: "How long an instance runs; if empty, services run to the horizon", Unit: "s", Low: 0.001, High: maxSeconds, Usual: "to the end"},
		{Name: "copies", Title: "copies", Hint: "Number of controllers like this one", High: MaxStarted, Whole: true, Usual: "1"},
		{Name: "interval", Title: "apart", Hint: "Time from one copy to the next", Unit: "s", High: maxSeconds, Usual: "0"},
		{Name: "parallelism", Title: "at once", Hint: "How many instances of a job run at once", High: MaxInstances, Whole: true, Usual: "all"},
		{Name: "period", Title: "every", Hint: "Period of a CronJob", Unit: "s", Low: 0.001, High: maxSeconds},
		{Name: "runs", Title: "times", Hint: "How many jobs a CronJob submits", High: MaxInstances, Whole: true, Usual: "to the end"},
		{Name: "antiAffinity", Title: "spread", Hint: "No two instances on one host", Switch: true},
	}
	HostEventFields = []parameter.Parameter{
		{Name: "time", Title: "time", Hint: "Seconds from the start of the workload", Unit: "s", High: maxSeconds, Required: true},
		{Name: "event", Title: "event", Choices: parameter.Choose("fail", "leave", "remove", "return", "add"), Required: true},
		{Name: "cpu", Title: "CPU", Hint: ofNew, High: cluster.MaxAmount.Units()},
		{Name: "memory", Title: "memory", Hint: ofNew, High: cluster.MaxAmount.Units()},
		{Name: "gpus", Title: "GPUs", Hint: ofNew, High: cluster.MaxGPUs, Whole: true},
	}
)

const ofNew = "For a host that is not in the list"

// ofPolicy returns the parameters of a policy and of its run.
func ofPolicy(name string) []parameter.Parameter {
	policy, _ := qos.Lookup(name)
	return append(parameter.Below("parameters", policy.Parameters), runParameters...)
}
