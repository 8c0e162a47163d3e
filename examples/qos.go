package examples

import (
	"berth/engine/scenario"
	"berth/engine/scenario/body"
	"berth/engine/scenario/simulate"
	"berth/engine/workload"
)

// requestExamples are the workloads of requests with promised availability.
func requestExamples() []Example {
	return []Example{
		requests("validation-1", "Validation 1: 256 requests on 20 hosts",
			"80 gold, 80 silver and 96 bronze, one a second for an hour, more than the hosts can take.",
			simulate.Validation1, 3599),
		requests("validation-2", "Validation 2: 221 silver requests",
			"One class only: who is behind runs, who is ahead waits.",
			simulate.Validation2, 3599),
		googleDay(),
		deployments(),
	}
}

func requests(name, title, description, preset string, horizon float64) Example {
	return encoded(name, title, description, simulate.Document{
		Workload:  generated(preset, workload.Recipe{Generator: simulate.RequestsGenerator, Preset: preset, Seed: 1}),
		Hosts:     generated("20 hosts", workload.Recipe{Generator: simulate.HostsGenerator, Preset: simulate.Validation}),
		Overheads: generatedOverheads(),
		Policies:  policies(),
		Horizon:   horizon,
		Seed:      1,
	})
}

// googleDay is a day of a workload like that of the Google trace on nine tenths
// of the hosts that would serve its peak.
func googleDay() Example {
	return encoded("google-day", "A day like those of the Google trace",
		"73,500 requests in bursts, with a daily rhythm and peaks, on 90 % of the hosts that their peak needs.",
		simulate.Document{
			Workload: generated("google-like day", workload.Recipe{
				Generator: simulate.RequestsGenerator, Preset: simulate.GoogleLike, Seed: 1,
				Parameters: map[string]float64{"requests": 73_500, "days": 1},
			}),
			Hosts: generated("0.9 N", workload.Recipe{
				Generator: simulate.HostsGenerator, Preset: simulate.GoogleLike, Seed: 1,
				Parameters: map[string]float64{"part": 0.9},
			}),
			Overheads: generatedOverheads(),
			Policies:  policies(),
			Horizon:   86400,
			Seed:      1,
		})
}

func encoded(name, title, description string, d simulate.Document) Example {
	return Example{name, title, description, scenario.NewQoS(title, d)}
}

func generated(name string, r workload.Recipe) body.Source {
	return body.Source{Name: name, Recipe: &r}
}

func generatedOverheads() *body.Source {
	s := generated("overheads", workload.Recipe{Generator: simulate.OverheadsGenerator, Preset: simulate.Validation, Seed: 1})
	return &s
}

func policies() []simulate.PolicyRun { return []simulate.PolicyRun{{Name: "qos"}, {Name: "priority"}} }
