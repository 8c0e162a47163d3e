package examples

import (
	"berth/engine/federate/federatekind"
	"berth/engine/scenario"
	"berth/engine/workload"
)

// meghaShares are the four users' of section VI-E of the paper on Megha.
var meghaShares = []float64{0.10, 0.25, 0.15, 0.50}

// meghaExamples are the findings of the paper on Megha; generated workloads
// stand in for its traces, which are not public.
func meghaExamples() []Example {
	example := func(name, title, description string, d federatekind.Document) Example {
		return Example{Name: name, Title: title, Description: description, Scenario: federatekind.New(title, d)}
	}
	return []Example{
		example("megha-figure-3", "Megha and Sparrow on 10,000 workers",
			"Figures 3 and 4: Sparrow's median is smaller, but its slowest tasks wait for tens of seconds, Megha's never for long.",
			cloudera("megha", "sparrow", "ideal")),
		example("megha-figure-5", "How many slots are asked for over time",
			"Figure 5: at its peak the workload asks for most of the 10,000 slots.",
			cloudera("ideal")),
		example("megha-figure-6", "Many masters against one",
			"Figure 6: one GM and one LM on 10,000 and 20,000 workers take many times as long as ten of each.",
			alibaba(10_000, 0.00005, []string{"megha", "megha-1"}, federatekind.Sweep{Parameter: "workers", Values: []float64{10_000, 20_000}})),
		example("megha-figure-7", "What the allocation time consists of",
			"Figure 7: messages make up more than 90 % of it, queueing a few percent, processing less than 3 %.",
			cloudera("megha")),
		example("megha-figure-8", "More workers for the same masters",
			"Figure 8: with ten GMs and ten LMs the allocation time grows with the data centre.",
			alibaba(10_000, 0.0005, []string{"megha"}, federatekind.Sweep{Parameter: "workers", Values: []float64{1000, 10_000, 25_000, 50_000}})),
		example("megha-figure-9", "More masters for the same workers",
			"Figure 9: more GMs and more LMs help 30,000 workers, until GMs outnumber LMs.",
			alibaba(30_000, 0.000005, []string{"megha"},
				federatekind.Sweep{Parameter: "gms", Values: []float64{5, 10, 20}}, federatekind.Sweep{Parameter: "lms", Values: []float64{5, 10}})),
		example("megha-figure-10", "Four users in a cluster that shrinks",
			"Figures 10 and 11: the scarcer resources are, the longer tasks wait, and the more are preempted and moved between partitions.",
			google(500, meghaShares, federatekind.Sweep{Parameter: "workers", Values: []float64{200, 500, 1500}})),
		example("megha-figure-12", "Tasks that get in each other's way",
			"Figure 12: where a loaded worker stretches running times, as in the prototype, others wait longer for its resources.",
			google(500, nil, federatekind.Sweep{Parameter: "interference", Values: []float64{0, 1, 3}})),
	}
}

// jobsLike is a trace of a preset.
func jobsLike(preset string, parameters map[string]float64) scenario.Source {
	return generated("like "+preset, workload.Recipe{
		Generator: workload.JobsGenerator, Preset: preset, Seed: 1, Parameters: parameters,
	})
}

func cloudera(schedulers ...string) federatekind.Document {
	return federatekind.Document{
		Trace:   jobsLike("cloudera", nil),
		Workers: 10_000, GMs: 10, LMs: 10, Preset: federatekind.PaperPreset, Schedulers: schedulers, Seed: 1,
	}
}

func alibaba(workers int, interarrival float64, schedulers []string, sweep ...federatekind.Sweep) federatekind.Document {
	return federatekind.Document{
		Trace:   jobsLike("alibaba", map[string]float64{"interarrival": interarrival}),
		Workers: workers, GMs: 10, LMs: 10, Schedulers: schedulers, Seed: 1, Sweep: sweep,
	}
}

func google(workers int, shares []float64, sweep ...federatekind.Sweep) federatekind.Document {
	return federatekind.Document{
		Trace:   jobsLike("google", nil),
		Workers: workers, GMs: 3, LMs: 3, Shares: shares, Schedulers: []string{"megha"}, Seed: 1, Sweep: sweep,
	}
}
