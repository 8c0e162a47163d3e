package gallery

import (
	"fmt"
	"slices"
	"strings"

	"berth/engine/federate/federatekind"
	"berth/engine/study"
)

// mapped are the schedulers of the map: all but those of flows, those that run each job as
// a rigid one, and the one whose workers have no end.
var mapped = []string{
	"sparrow", "hawk", "eagle", "pigeon", "mercury", "hydra", "megha", "megha-1", "omega", "mesos", "kubernetes", "fcfs", "fair", "least-loaded", "sjf", "srpt",
}

// contest are those of them that do not know the durations of all tasks.
var contest = slices.DeleteFunc(slices.Clone(mapped), func(name string) bool { return name == "sjf" || name == "srpt" || name == "least-loaded" })

var mapLoads = []float64{0.5, 0.7, 0.9, 1, 1.1}

// claims are the best of the contest and the second, by trace and load: of the 95th
// percentile of short jobs, and of the mean of long ones. A sign of equality is a tie.
var claims = map[string][2][5]string{
	"Yahoo":    {{"eagle = pigeon", "fair < pigeon", "fair < pigeon", "fair < pigeon", "fair < mesos"}, {"fair = hydra", "fair < hydra", "fair < hydra", "fair < hydra", "fair < hydra"}},
	"Google":   {{"eagle = fair", "fair = eagle", "fair < eagle", "fair < eagle", "fair < eagle"}, {"fair < megha", "fair < hydra", "fair < megha", "fair < megha", "fair < hydra"}},
	"Facebook": {{"eagle < pigeon", "eagle < pigeon", "fair < pigeon", "fair < pigeon", "fair < pigeon"}, {"fair = hydra", "fair < hydra", "fair < hydra", "fair < hydra", "fair < megha"}},

	"Yahoo, unlike workers":    {{"fair < eagle", "fair < mesos", "fair < mesos", "fair < mesos", "fair < mesos"}, {"fair = mercury", "fair < mercury", "fair < mercury", "fair < mercury", "fair < megha"}},
	"Google, unlike workers":   {{"fair < eagle", "fair = eagle", "fair < eagle", "fair < eagle", "fair < eagle"}, {"fair = mercury", "fair < mercury", "fair < mercury", "fair < mercury", "fair < mercury"}},
	"Facebook, unlike workers": {{"eagle < fair", "fair < eagle", "fair < mesos", "fair < mesos", "fair < mesos"}, {"fair < mercury", "fair < mercury", "fair < megha", "fair < megha", "fair < megha"}},
}

func mapEntry() Entry {
	return Entry{
		ID: "map", Paper: "berth", Figure: "2", Title: "The map of schedulers", Generated: true, Contest: contest, document: mapOfSchedulers,
		Shows: "Which scheduler has the lowest 95th percentile of short jobs, and which the lowest mean of long ones, by trace, load and workers, of those that do not know all durations. " +
			"The claims come from a pilot with seeds 1 to 10, and are judged with seeds from 101 on at full size.",
		Setup: mixSetup + " Half of the unlike workers have the usual speed, a quarter 0.5 times and a quarter 1.5 times that. All 16 schedulers take them. EASY and conservative backfilling, whose jobs are rigid, and the ideal are left out, as are Quincy and Firmament, which have a figure of their own. SJF, SRPT and least-loaded, which know all durations, run without a claim on them.",
	}
}

// onUnlike has the same speed in all on workers of three speeds.
func (m *mix) onUnlike() study.Level {
	patch := m.patch()
	patch[federatekind.Name].(at)["classes"] = []federatekind.MachineClass{
		{Name: "usual", Count: m.workers - 2*(m.workers/4)}, {Name: "slow", Count: m.workers / 4, Speed: new(0.5)}, {Name: "fast", Count: m.workers / 4, Speed: new(1.5)},
	}
	return study.Level{Label: m.name + ", unlike workers", Patch: patch}
}

// mapOfSchedulers has, at reduced size, fewer jobs, loads and traces, and the schedulers of the claims alone.
func mapOfSchedulers(full bool) study.Document {
	all := []mix{yahooMix, googleMix, facebookMix}
	on, steps := traces(all...), []int{0, 4}
	if full {
		steps = []int{0, 1, 2, 3, 4}
		for _, m := range all {
			on.Levels = append(on.Levels, m.onUnlike())
		}
	}
	load := loads()
	for _, i := range steps {
		load.Levels = append(load.Levels, study.Level{Value: mapLoads[i]})
	}
	d := mixed(full, yahooMix, size(full, []string{"eagle", "pigeon", "hydra", "megha", "mesos", "fair"}, mapped), on, load)
	run := federatekind.Of(d.Base)
	run.Trace.Recipe.Parameters["jobs"] = size(full, 1000., 2000)
	run.Trace.Recipe.Seed = size[uint64](full, 1, 101)
	run.Seed = run.Trace.Recipe.Seed
	d.Seeds, d.Metrics = size(full, 3, 10), []string{"shortJobs.p95", "longJobs.mean"}
	for _, trace := range on.Levels {
		for _, i := range steps {
			for m, metric := range d.Metrics {
				d.Criteria = append(d.Criteria, claim(trace.Label, mapLoads[i], metric, claims[trace.Label][m][i]))
			}
		}
	}
	return d
}

// claim is one on who wins.
func claim(trace string, load float64, metric, who string) study.Criterion {
	const source = "a claim of our own from a pilot; see the section on what the entry shows"
	words := strings.Fields(who)
	best, second := at{"trace": trace, "load": load, "scheduler": words[0]}, at{"trace": trace, "load": load, "scheduler": words[2]}
	id := fmt.Sprintf("%s-%v-%s", strings.ReplaceAll(trace, ", ", "-"), load, metric)
	says := fmt.Sprintf("%s: %s at load %v (%s)", metric, who, load, trace)
	if words[1] == "=" {
		return study.Criterion{ID: id, Source: source, Says: says, Test: study.Test{Kind: study.Ratio, Metric: metric, At: best, To: &study.Operand{At: second}, Low: new(1 / 1.1), High: new(1.1)}}
	}
	return larger(id, source, says, metric, second, than("", best))
}
