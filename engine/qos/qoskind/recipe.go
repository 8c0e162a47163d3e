package qoskind

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"berth/engine/cluster"
	"berth/engine/input/workload"
	"berth/engine/parameter"
	"berth/engine/scenario"
	"berth/engine/sim"
	"berth/engine/stats"
)

// The generators that a recipe can name.
const (
	RequestsGenerator  = "requests"
	HostsGenerator     = "hosts"
	OverheadsGenerator = "overheads"
)

// The presets of the generators. Validation is the preset of hosts and overheads for both
// validation workloads.
const (
	Validation1 = "validation-1" // requests: 80 gold, 80 silver and 96 bronze
	Validation2 = "validation-2" // requests: 221 silver
	Validation  = "validation"   // hosts and overheads
	GoogleLike  = "google-like"  // requests, and hosts sized for the workload
	Busy        = "busy"         // hosts of equal size, as many as the requested utilisation needs
	FirstHour   = "first-hour"   // requests like those in the hour that the authors published, and hosts for them
)

const (
	maxRequests = 100_000_000
	maxDays     = 300.0
	maxPool     = 1 << 20
	hostPool    = 20_000
	// overheadStream is the random stream of the overheads generator.
	overheadStream = 300
)

// presets lists the presets of each generator, each with its parameters in display order. Their
// defaults are the values of the preset.
var presets = map[string][]recipePreset{
	RequestsGenerator: {{Validation1, nil}, {Validation2, nil}, {GoogleLike, requestsOf(100_000, 1.36)[:3:3]}, {FirstHour, requestsOf(22_899, 1./24)}},
	HostsGenerator: {{Validation, nil}, {GoogleLike, sizing}, {FirstHour, sizing}, {Busy, []parameter.Parameter{
		{Name: "busy", Title: "share of the hosts that is in use on average", Hint: "of the resource that the requests ask for most, if each ran at once", Low: 0.01, High: 1, Default: 0.8},
	}}},
	OverheadsGenerator: {{Validation, []parameter.Parameter{
		{Name: "count", Title: "overheads in the set", Low: 1, High: 1_000_000, Whole: true, Default: 2000},
		{Name: "median", Unit: "s", Title: "median", High: 86400, Default: 2.3},
		{Name: "sigma", Title: "standard deviation of the logarithm", High: 4, Default: 0.23},
	}}},
}

type recipePreset struct {
	name       string
	parameters []parameter.Parameter
}

func requestsOf(requests, days float64) []parameter.Parameter {
	return []parameter.Parameter{
		{Name: "requests", Title: "requests", Low: 1, High: maxRequests, Whole: true, Default: requests},
		{Name: "days", Unit: "days", Title: "time from the first arrival to the last", Low: 0.01, High: maxDays, Default: days},
		{Name: "stretch", Unit: "times the usual", Title: "length of requests", Low: 0.01, High: 100, Default: 1},
		{Name: "burst", Unit: "s", Title: "median length of the requests of a burst", Low: 1, High: 86400, Default: workload.UsualBurst},
		{Name: "burst_class", Title: "class of the requests of bursts", Hint: "0 gold, 1 silver, 2 bronze", High: 2, Whole: true, Default: 1},
	}
}

var sizing = []parameter.Parameter{
	{Name: "part", Title: "part of N", Hint: "N is the number of hosts for the largest demand of the workload", Low: 0.01, High: 1, Default: 1},
	{Name: "pool", Title: "machines to draw from", Low: 1, High: maxPool, Whole: true, Default: hostPool},
	{Name: "count", Title: "hosts", Hint: "0 to follow the demand", High: maxPool, Whole: true},
}

// Presets lists the presets of a generator, none for an unknown generator.
func Presets(generator string) []string {
	return scenario.Subjects(presets[generator], func(p *recipePreset) string { return p.name })
}

// Defaults returns the parameters of a generator with the values of a preset.
func Defaults(generator, preset string) ([]parameter.Parameter, error) {
	all := presets[generator]
	i := slices.IndexFunc(all, func(p recipePreset) bool { return p.name == preset })
	switch {
	case all == nil:
		return nil, fmt.Errorf("generator: %q is unknown: expected %s, %s or %s", generator, RequestsGenerator, HostsGenerator, OverheadsGenerator)
	case i < 0:
		return nil, fmt.Errorf("preset: %q is unknown: expected one of %q", preset, Presets(generator))
	}
	return all[i].parameters, nil
}

// figures returns the parameters of a recipe and their values by name. It returns an error for an
// invalid recipe.
func figures(r workload.Recipe) ([]parameter.Parameter, map[string]float64, error) {
	parameters, err := Defaults(r.Generator, r.Preset)
	if err != nil {
		return nil, nil, err
	}
	if r.Index != 0 {
		return nil, nil, fmt.Errorf("index: %d is for the thesis's deployments: %s have none", r.Index, r.Generator)
	}
	v, err := r.Fill(parameters)
	return parameters, v, err
}

// requests generates the workload of a recipe.
func requests(r *workload.Recipe) (workload.Stream, error) {
	_, v, err := figures(*r)
	if err != nil {
		return nil, err
	}
	n, length := int(v["requests"]), sim.Milliseconds(math.Round(v["days"]*float64(sim.Day)))
	switch r.Preset {
	case FirstHour:
		return workload.FirstHour{Requests: n, Length: length, Seed: r.Seed, Stretch: v["stretch"], Burst: v["burst"], BurstClass: int(v["burst_class"])}.Stream(), nil
	case GoogleLike:
		return workload.GoogleLike{Requests: n, Length: length, Seed: r.Seed, Stretch: v["stretch"]}.Stream(), nil
	case Validation2:
		return &workload.Slice{Requests: workload.Validation2(r.Seed)}, nil
	}
	return &workload.Slice{Requests: workload.Validation1(r.Seed)}, nil
}

// hosts generates the hosts of a recipe. Presets that size the infrastructure for the workload
// (section 4.3) read the workload with open.
func hosts(r *workload.Recipe, open func() (workload.Stream, error)) ([]cluster.Host, error) {
	_, v, err := figures(*r)
	if err != nil {
		return nil, err
	}
	if r.Preset == Validation {
		return workload.ValidationHosts(), nil
	}
	pool := workload.GoogleHosts
	if r.Preset == FirstHour {
		pool = workload.FirstHourHosts
	}
	if n := int(v["count"]); n > 0 { // the preset Busy has no count
		return pool(n, r.Seed), nil
	}
	source, err := open()
	if err != nil {
		return nil, err
	}
	if r.Preset == Busy {
		return workload.BusyHosts(source, v["busy"])
	}
	peak, err := workload.PeakDemand(source)
	if err != nil {
		return nil, err
	}
	if peak == (workload.Peak{}) {
		return nil, errors.New("count: missing: there are no requests that hosts could be sized for")
	}
	return workload.Size(pool(int(v["pool"]), r.Seed), peak, v["part"], r.Seed)
}

// overheads generates a set of allocation overheads. Their distribution is log-normal, which is
// close to the overheads measured with Kubernetes.
func overheads(r *workload.Recipe) ([]sim.Milliseconds, error) {
	_, v, err := figures(*r)
	if err != nil {
		return nil, err
	}
	random := sim.NewRandom(r.Seed, overheadStream)
	set := make([]sim.Milliseconds, int(v["count"]))
	for i := range set {
		seconds := v["median"] * stats.Exp(float64(v["sigma"]*random.Normal()))
		set[i] = sim.Milliseconds(math.Round(min(seconds, maxSeconds) * 1000))
	}
	return set, nil
}
