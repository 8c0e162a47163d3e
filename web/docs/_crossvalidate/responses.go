package main

import (
	"berth/engine/federate"
	"berth/engine/figure"
)

// responses are the response times of short and long jobs, in seconds.
type responses struct{ short, long []float64 }

func (r *responses) put(short bool, seconds float64) {
	if short {
		r.short = append(r.short, seconds)
	} else {
		r.long = append(r.long, seconds)
	}
}

func (t *trace) short(job int) bool { return t.tasks.Jobs[job].Mean <= federate.Span(cutoff) }

// times summarises the response times of jobs, in seconds.
type times struct {
	Jobs                int
	Mean, P50, P90, P99 float64
}

func timesOf(q figure.Quantiles, jobs int) times {
	at := func(name string) float64 { return float64(q.At(name)) }
	return times{jobs, float64(q.Mean), at("p50"), at("p90"), at("p99")}
}

// outcome is the result of a run and the seconds that it took.
type outcome struct {
	All, Short, Long times
	Seconds          float64
}

// addPart adds one of the runs of a mean over seeds.
func (o *outcome) addPart(one *outcome) {
	for _, t := range [][2]*times{{&o.All, &one.All}, {&o.Short, &one.Short}, {&o.Long, &one.Long}} {
		to, from := t[0], t[1]
		to.Jobs = from.Jobs
		to.Mean, to.P50, to.P90, to.P99 = to.Mean+from.Mean/seeds, to.P50+from.P50/seeds, to.P90+from.P90/seeds, to.P99+from.P99/seeds
	}
	o.Seconds += one.Seconds / seeds
}

func (r *responses) outcome(seconds float64) outcome {
	of := func(values []float64) times {
		return timesOf(figure.QuantilesOf(values, federate.Percentiles), len(values))
	}
	all := append(append([]float64{}, r.short...), r.long...)
	return outcome{of(all), of(r.short), of(r.long), seconds}
}
