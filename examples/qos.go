package examples

import (
	"fmt"

	"berth/engine/qos/qoskind"
	"berth/engine/scenario"
	"berth/engine/workload"
)

// requestExamples are the workloads of requests with promised availability.
func requestExamples() []Example {
	return append([]Example{
		requests("validation-1", "Validation 1: 256 requests on 20 hosts",
			"80 gold, 80 silver and 96 bronze, one a second for an hour, more than the hosts can take.",
			qoskind.Validation1, 3599),
		requests("validation-2", "Validation 2: 221 silver requests",
			"One class only: who is behind runs, who is ahead waits.",
			qoskind.Validation2, 3599),
		googleDay(),
		deployments(),
	}, table71()...)
}

func requests(name, title, description, preset string, horizon float64) Example {
	return encoded(name, title, description, qoskind.Document{
		Workload:  generated(preset, workload.Recipe{Generator: qoskind.RequestsGenerator, Preset: preset, Seed: 1}),
		Hosts:     generated("20 hosts", workload.Recipe{Generator: qoskind.HostsGenerator, Preset: qoskind.Validation}),
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
		qoskind.Document{
			Workload: generated("google-like day", workload.Recipe{
				Generator: qoskind.RequestsGenerator, Preset: qoskind.GoogleLike, Seed: 1,
				Parameters: map[string]float64{"requests": 73_500, "days": 1},
			}),
			Hosts: generated("0.9 N", workload.Recipe{
				Generator: qoskind.HostsGenerator, Preset: qoskind.GoogleLike, Seed: 1,
				Parameters: map[string]float64{"part": 0.9},
			}),
			Overheads: generatedOverheads(),
			Policies:  policies(),
			Horizon:   86400,
			Seed:      1,
		})
}

// table71 is the experiment of table 7.1 of the thesis, one example for each
// level of contention. The thesis has ten times the hosts, which take the
// scheduler without optimisations minutes.
func table71() []Example {
	const hosts = 62
	var all []Example
	for i, level := range []string{"low", "medium", "high"} {
		limit := workload.Admissions[2-i].Limit
		title := fmt.Sprintf("Table 7.1: operations at %s contention", level)
		description := fmt.Sprintf("The optimisations of section 7.1 of the thesis, on a tenth of its 620 hosts: the first hour, admitted up to %.0f %% of the capacity.", 100*limit)
		all = append(all, encoded("table-7-1-"+level, title, description, qoskind.Document{
			Workload: generated("the first hour", workload.Recipe{
				Generator: qoskind.RequestsGenerator, Preset: qoskind.GoogleLike, Seed: 1,
				Parameters: map[string]float64{"requests": 200 * hosts, "days": 1. / 24},
			}),
			Hosts: generated(fmt.Sprint(hosts, " hosts"), workload.Recipe{
				Generator: qoskind.HostsGenerator, Preset: qoskind.GoogleLike, Seed: 1,
				Parameters: map[string]float64{"count": hosts},
			}),
			Overheads: generatedOverheads(),
			Admission: &qoskind.Admission{Limit: limit},
			Policies: []qoskind.PolicyRun{
				{Name: "priority", Label: "priority, optimised", Savings: &qoskind.Savings{ScoreCaching: true, EquivalenceClass: true, Relaxed: 0.05}},
				{Name: "priority", Label: "priority, without caching", Savings: &qoskind.Savings{EquivalenceClass: true, Relaxed: 0.05}},
				{Name: "qos", Label: "QoS-driven, optimised", Savings: &qoskind.Savings{EquivalenceClass: true, Relaxed: 0.05, Pruning: "printed"}},
				{Name: "qos", Label: "QoS-driven, not optimised", Scheduler: qoskind.Literal},
			},
			Horizon: 3600,
			Seed:    1,
		}))
	}
	return all
}

func encoded(name, title, description string, d qoskind.Document) Example {
	return Example{Name: name, Title: title, Description: description, Scenario: qoskind.New(title, d)}
}

func generated(name string, r workload.Recipe) scenario.Source {
	return scenario.Source{Name: name, Recipe: &r}
}

func generatedOverheads() *scenario.Source {
	return new(generated("overheads", workload.Recipe{Generator: qoskind.OverheadsGenerator, Preset: qoskind.Validation, Seed: 1}))
}

func policies() []qoskind.PolicyRun { return []qoskind.PolicyRun{{Name: "qos"}, {Name: "priority"}} }
