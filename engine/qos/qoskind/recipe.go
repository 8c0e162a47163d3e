package qoskind

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"berth/engine/cluster"
	"berth/engine/sim"
	"berth/engine/stats"
	"berth/engine/workload"
)

// The generators that the recipes of a document name.
const (
	RequestsGenerator  = "requests"
	HostsGenerator     = "hosts"
	OverheadsGenerator = "overheads"
)

// The presets of the generators. Validation is the common preset of both workloads for the
// generators in which they agree.
const (
	Validation1 = "validation-1" // of requests: 80 gold, 80 silver and 96 bronze
	Validation2 = "validation-2" // of requests: 221 silver
	Validation  = "validation"   // of hosts and overheads
	GoogleLike  = "google-like"  // of requests, and of hosts by sizing for the workload
	Busy        = "busy"         // of hosts of one size, as many as the requests keep so busy
	FirstHour   = "first-hour"   // of requests as in the hour that the authors published, and of hosts for them
)

const (
	maxRequests = 100_000_000
	maxDays     = 300.0
	maxPool     = 1 << 20
	hostPool    = 20_000
	// overheadStream keeps the numbers of the generator of overheads apart.
	overheadStream = 300
)

// Presets lists the presets of a generator.
func Presets(generator string) []string {
	switch generator {
	case RequestsGenerator:
		return []string{Validation1, Validation2, GoogleLike, FirstHour}
	case HostsGenerator:
		return []string{Validation, GoogleLike, FirstHour, Busy}
	case OverheadsGenerator:
		return []string{Validation}
	}
	return nil
}

// Defaults returns the parameters of a generator with the values of a preset,
// in the order in which they are best shown.
func Defaults(generator, preset string) ([]workload.Parameter, error) {
	presets := Presets(generator)
	if presets == nil {
		return nil, fmt.Errorf("generator: %q is unknown: expected %s, %s or %s", generator, RequestsGenerator, HostsGenerator, OverheadsGenerator)
	}
	if !slices.Contains(presets, preset) {
		return nil, fmt.Errorf("preset: %q is unknown: expected one of %q", preset, presets)
	}
	switch {
	case generator == OverheadsGenerator:
		return []workload.Parameter{
			{Name: "count", Value: 2000, Title: "overheads in the set", Min: 1, Max: 1_000_000, Whole: true},
			{Name: "median", Value: 2.3, Unit: "s", Title: "median", Min: 0, Max: 86400},
			{Name: "sigma", Value: 0.23, Title: "standard deviation of the logarithm", Min: 0, Max: 4},
		}, nil
	case preset == Busy:
		return []workload.Parameter{
			{Name: "busy", Value: 0.8, Title: "share of the hosts that is in use on average", Hint: "of the resource that the requests ask for most, if each ran at once", Min: 0.01, Max: 1},
		}, nil
	case preset != GoogleLike && preset != FirstHour:
		return nil, nil
	case generator == RequestsGenerator && preset == FirstHour:
		return []workload.Parameter{
			{Name: "requests", Value: 22_899, Title: "requests", Min: 1, Max: maxRequests, Whole: true},
			{Name: "days", Value: 1. / 24, Unit: "days", Title: "time from the first arrival to the last", Min: 0.01, Max: maxDays},
			{Name: "stretch", Value: 1, Unit: "times the usual", Title: "length of requests", Min: 0.01, Max: 100},
			{Name: "burst", Value: workload.UsualBurst, Unit: "s", Title: "median length of the requests of a burst", Min: 1, Max: 86400},
			{Name: "burst_class", Value: 1, Title: "class of the requests of bursts", Hint: "0 gold, 1 silver, 2 bronze", Min: 0, Max: 2, Whole: true},
		}, nil
	case generator == RequestsGenerator:
		return []workload.Parameter{
			{Name: "requests", Value: 100_000, Title: "requests", Min: 1, Max: maxRequests, Whole: true},
			{Name: "days", Value: 1.36, Unit: "days", Title: "time from the first arrival to the last", Min: 0.01, Max: maxDays},
			{Name: "stretch", Value: 1, Unit: "times the usual", Title: "length of requests", Min: 0.01, Max: 100},
		}, nil
	}
	return []workload.Parameter{
		{Name: "part", Value: 1, Title: "part of N", Hint: "N is the number of hosts for the largest demand of the workload", Min: 0.01, Max: 1},
		{Name: "pool", Value: hostPool, Title: "machines to draw from", Min: 1, Max: maxPool, Whole: true},
		{Name: "count", Value: 0, Title: "hosts", Hint: "0 to follow the demand", Min: 0, Max: maxPool, Whole: true},
	}, nil
}

// values returns the numbers of a recipe by name, checked.
func values(r *workload.Recipe) (map[string]float64, error) {
	_, v, err := figures(*r)
	return v, err
}

func figures(r workload.Recipe) ([]workload.Parameter, map[string]float64, error) {
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

// requests is the workload of a recipe.
func requests(r *workload.Recipe) (workload.Stream, error) {
	v, err := values(r)
	if err != nil {
		return nil, err
	}
	switch r.Preset {
	case FirstHour:
		return workload.FirstHour{
			Requests: int(v["requests"]), Length: sim.Milliseconds(math.Round(v["days"] * float64(sim.Day))), Seed: r.Seed, Stretch: v["stretch"],
			Burst: v["burst"], BurstClass: int(v["burst_class"]),
		}.Stream(), nil
	case GoogleLike:
		return workload.GoogleLike{
			Requests: int(v["requests"]), Length: sim.Milliseconds(math.Round(v["days"] * float64(sim.Day))), Seed: r.Seed, Stretch: v["stretch"],
		}.Stream(), nil
	}
	all := workload.Validation1(r.Seed)
	if r.Preset == Validation2 {
		all = workload.Validation2(r.Seed)
	}
	return &workload.Slice{Requests: all}, nil
}

// hosts generates the infrastructure of a recipe, by sizing (section 4.3) for
// the workload that open opens.
func hosts(r *workload.Recipe, open func() (workload.Stream, error)) ([]cluster.Host, error) {
	v, err := values(r)
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
	if n := int(v["count"]); n > 0 { // Busy has none
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

// overheads generates a set of allocation overheads, log-normal as those that
// were measured with Kubernetes nearly are.
func overheads(r *workload.Recipe) ([]sim.Milliseconds, error) {
	v, err := values(r)
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
