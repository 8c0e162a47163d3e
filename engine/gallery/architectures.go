package gallery

import (
	"fmt"

	"berth/engine/federate/federatekind"
	"berth/engine/study"
	"berth/engine/workload"
)

const (
	mixSetup = "Generated jobs in the proportions of short and long ones of the traces, with fewer tasks in the largest jobs, on workers in proportion. " +
		"The traces of Hawk and Eagle are no longer to be had where the authors name them."
	omegaSetup = "Generated jobs like those of the Google trace, short ones for batch and long ones for service, on 4,000 workers. " +
		"The paper's cells and its empirical distributions are not public."
)

// mix is a trace of Hawk and Eagle: the generated one, how many workers it loads fully,
// the cutoff of its short jobs in seconds, and the part of the workers for these (Delgado
// et al. 2015).
type mix struct {
	name, preset  string
	workers       int
	cutoff, short float64
}

var (
	yahooMix    = mix{"Yahoo", "yahoo-mix", 1300, 90.5811, 0.02}
	googleMix   = mix{"Google", "google-mix", 1250, 1129.532, 0.17}
	facebookMix = mix{"Facebook", "facebook-mix", 1150, 76.5951, 0.02}
)

// patch has the trace, and what schedulers are told of it.
func (m *mix) patch() at {
	cutoff := at{"cutoff": m.cutoff}
	hybrid := at{"cutoff": m.cutoff, "short": m.short}
	return at{federatekind.Name: at{
		"trace": at{"recipe": at{"preset": m.preset}}, "workers": m.workers, "pigeon": cutoff,
		"parameters": at{"hawk": hybrid, "eagle": hybrid, "omega": cutoff, "mesos": cutoff, "mercury": cutoff},
	}}
}

func traces(all ...mix) study.Factor {
	f := study.Factor{Name: "trace"}
	for _, m := range all {
		f.Levels = append(f.Levels, study.Level{Label: m.name, Patch: m.patch()})
	}
	return f
}

func loads(levels ...float64) study.Factor {
	return study.Factor{Name: "load", Path: "/federate/load", Levels: study.Values(levels...)}
}

func architectureEntries() []Entry {
	entry := func(id, paper, figure, title, shows, setup string, document func(bool) study.Document) Entry {
		return Entry{ID: id, Paper: paper, Figure: figure, Title: title, Shows: shows, Setup: setup, Generated: true, document: document}
	}
	five := entry("hawk-5", "hawk", "5", "Hawk and Sparrow on the Google trace",
		"Under high load Hawk improves the median of short jobs by 80 % and their 90th percentile by 90 %, and those of long jobs by 35 % and 10 %. With more workers the gain shrinks.", mixSetup, hawkAndSparrow)
	five.Along = "workers"
	busy := entry("omega-5", "omega", "5 to 8", "Decisions that take long, in four architectures",
		"With one scheduler for all jobs, slower decisions about service jobs make it busy, and batch jobs wait, also where only these decisions are slow. With Omega's shared state batch jobs do not wait for them. Conflicts become more frequent with the time of decisions, and schedulers busier with the rate of arrivals.", omegaSetup+" At load 2 bursts of jobs fill the cell at full size. While it is full, both schedulers claim each worker that becomes free, and conflict. Slow decisions hold the long jobs back, so the cell is full less often, and conflicts become rarer. At load 1 it has room, and they become more frequent.", architectures)
	busy.Along = "decision"
	busy.Tried = []Variant{{What: "conflicts at load 1, where the cell has room", change: func(_ study.Document, full bool) study.Document { return architecturesAt(full, 1) }}}
	starved := entry("mesos-7", "omega", "7", "Slow frameworks starve others under Mesos",
		"While a framework decides slowly, the offers that it holds are locked: batch jobs wait longer under Mesos, and not under Omega.", omegaSetup, slowFrameworks)
	starved.Along = "decision"
	better := entry("eagle-8", "eagle", "8", "Eagle and Hawk",
		"Short jobs are faster under Eagle than under Hawk at all percentiles, loads and traces, most of all at high load, and long jobs are no slower.", mixSetup+" The generated Yahoo trace has 4 to 5 % of its work in short jobs, and 2 % of the workers are kept for them, as in the paper. When all others have long tasks, Eagle sends every short task to these 2 %, which cannot keep up; under Hawk it waits elsewhere.", func(full bool) study.Document { return eagleAndHawk(full, yahooMix) })
	better.Tried = []Variant{{What: "5 % of the workers for short tasks on the Yahoo trace, about the part of its work that is in short jobs", change: func(_ study.Document, full bool) study.Document {
		m := yahooMix
		m.short = 0.05
		return eagleAndHawk(full, m)
	}}}
	return []Entry{
		five,
		entry("hawk-6", "hawk", "6", "Hawk and Sparrow on other traces",
			"Hawk improves short jobs on the Yahoo and Facebook traces as well; the trace of Cloudera is left out here.", mixSetup, hawkElsewhere),
		better,
		busy,
		starved,
	}
}

// mixed is an experiment on schedulers with generated jobs like those of a trace.
func mixed(full bool, m mix, schedulers []string, factors ...study.Factor) study.Document {
	d := federatekind.Document{
		Trace: generated("like "+m.name, workload.JobsGenerator, m.preset, map[string]float64{"jobs": size(full, 2000., 10_000)}),
		GMs:   10, LMs: 10, Workers: m.workers, Schedulers: schedulers, Seed: 1,
	}
	return study.Document{
		Base: base("Like "+m.name, federatekind.Name, &d), Factors: factors, Seeds: size(full, 10, 30), Compare: "scheduler",
		Metrics: []string{"shortJobs.p50", "shortJobs.p90", "shortJobs.p99", "longJobs.p50", "longJobs.p90"},
	}
}

// faster is that a figure of one scheduler is smaller than that of another one.
func faster(id, source, says, metric string, where at, fast, slow string) study.Criterion {
	of := at{"scheduler": slow}
	for name, level := range where {
		of[name] = level
	}
	return larger(id, source, says, metric, of, than("", at{"scheduler": fast}))
}

func hawkAndSparrow(full bool) study.Document {
	const source = "abstract and section 4, on figure 5"
	d := mixed(full, googleMix, []string{"sparrow", "hawk"}, traces(googleMix), factor("workers", 1400, 1700, 2100, 3000))
	high := at{"workers": 1400}
	d.Criteria = []study.Criterion{
		faster("short-p50", source, "the median of short jobs is lower under Hawk", "shortJobs.p50", high, "hawk", "sparrow"),
		faster("short-p90", source, "the 90th percentile of short jobs is lower under Hawk", "shortJobs.p90", high, "hawk", "sparrow"),
		faster("long-p50", source, "the median of long jobs is lower under Hawk", "longJobs.p50", high, "hawk", "sparrow"),
		faster("long-p90", source, "the 90th percentile of long jobs is lower under Hawk", "longJobs.p90", high, "hawk", "sparrow"),
	}
	return d
}

// published are numbers of the paper that are marks in charts as those of criteria are, and
// that do not judge. Of Hawk they are the parts of Sparrow's figures under high load, by the
// abstract, and of Firmament that of Quincy's.
func (e *Entry) published() (all []study.Criterion) {
	part := func(metric string, factor string, level float64, fast, slow string, value float64) {
		all = append(all, ratio("", "", "", metric, at{factor: level, "scheduler": fast}, than("", at{"scheduler": slow}), value, 0))
	}
	switch e.ID {
	case "hawk-5":
		for i, metric := range [4]string{"shortJobs.p50", "shortJobs.p90", "longJobs.p50", "longJobs.p90"} {
			part(metric, "workers", 1400, "hawk", "sparrow", [4]float64{0.2, 0.1, 0.65, 0.9}[i])
		}
	case "firmament-14":
		part("allocation.p50", "load", 1.2, "firmament", "quincy", 1./20)
	}
	return all
}

func hawkElsewhere(full bool) study.Document {
	d := mixed(full, yahooMix, []string{"sparrow", "hawk"}, traces(yahooMix, facebookMix), loads(0.9))
	for _, trace := range []string{"Yahoo", "Facebook"} {
		for _, p := range []string{"p50", "p90"} {
			d.Criteria = append(d.Criteria, faster("short-"+p+"-"+trace, "section 4, on figure 6",
				fmt.Sprintf("the %s of short jobs is lower under Hawk (%s)", p, trace), "shortJobs."+p, at{"trace": trace}, "hawk", "sparrow"))
		}
	}
	return d
}

func eagleAndHawk(full bool, yahoo mix) study.Document {
	const source = "section 5, on the comparison of Eagle with Hawk"
	d := mixed(full, yahoo, []string{"hawk", "eagle"}, traces(yahoo, googleMix, facebookMix), loads(0.6, 0.8))
	for _, trace := range []string{"Yahoo", "Google", "Facebook"} {
		high := at{"trace": trace, "load": 0.8}
		for _, p := range []string{"p50", "p90", "p99"} {
			d.Criteria = append(d.Criteria, faster("short-"+p+"-"+trace, source,
				fmt.Sprintf("the %s of short jobs is lower under Eagle (%s)", p, trace), "shortJobs."+p, high, "eagle", "hawk"))
		}
		d.Criteria = append(d.Criteria, study.Criterion{ID: "long-p50-" + trace, Source: source, Says: fmt.Sprintf("long jobs take at most 5 %% more under Eagle (%s)", trace), Test: study.Test{
			Kind: study.Ratio, Metric: "longJobs.p50", At: at{"trace": trace, "load": 0.8, "scheduler": "eagle"}, To: new(than("", at{"scheduler": "hawk"})), High: new(1.05),
		}})
	}
	return d
}

// decisions is the time of a decision on a service job.
func decisions(levels ...float64) study.Factor {
	f := study.Factor{Name: "decision"}
	for _, seconds := range levels {
		own := at{"longJob": seconds}
		f.Levels = append(f.Levels, study.Level{Label: fmt.Sprint(seconds), Patch: at{federatekind.Name: at{"parameters": at{"omega": own, "mesos": own}}}})
	}
	return f
}

// architecture is a level that has one scheduler with parameters of its own.
func architecture(label, scheduler string, own at) study.Level {
	return study.Level{Label: label, Patch: at{federatekind.Name: at{"schedulers": []any{scheduler}, "parameters": at{scheduler: own}}}}
}

var (
	sharedState = architecture("shared state", "omega", at{})
	twoLevel    = architecture("two-level", "mesos", at{})
)

// cell is Omega's setting: of each architecture there is one scheduler alone. At load 1
// a third of the cell is in use.
func cell(full bool, factors ...study.Factor) study.Document {
	d := mixed(full, googleMix, []string{"omega"}, append([]study.Factor{traces(googleMix)}, factors...)...)
	d.Factors[0].Levels[0].Patch[federatekind.Name].(at)["workers"] = 4000
	d.Compare, d.Seeds = "architecture", size(full, 5, 20)
	d.Metrics = []string{"shortJobs.mean", "shortJobs.p90", "busyness.short", "busyness.long", "conflictFraction"}
	return d
}

func architectures(full bool) study.Document { return architecturesAt(full, 2) }

// architecturesAt looks for more conflicts with slow decisions at a load.
func architecturesAt(full bool, conflicts int) study.Document {
	const source = "section 4, on figures 5 to 8"
	d := cell(full, study.Factor{Name: "architecture", Levels: []study.Level{
		architecture("single-path", "omega", at{"schedulers": 1, "cutoff": 0}),
		architecture("multi-path", "omega", at{"schedulers": 1}),
		twoLevel, sharedState,
	}}, decisions(0.1, 1, 10, 60), loads(1, 2))
	of := func(architecture string, decision float64, load int) at {
		return at{"architecture": architecture, "decision": fmt.Sprint(decision), "load": load}
	}
	direction := func(id, says, metric string, large, small at) {
		d.Criteria = append(d.Criteria, larger(id, source, says, metric, large, than("", small)))
	}
	for _, path := range []string{"single-path", "multi-path"} {
		direction("busy-"+path, "the one scheduler is busier with slow decisions ("+path+")", "busyness.short", of(path, 10, 1), at{"decision": "0.1"})
		direction("wait-"+path, "batch jobs take longer with slow decisions ("+path+")", "shortJobs.mean", of(path, 60, 1), at{"decision": "0.1"})
		direction("omega-before-"+path, "batch jobs are faster with shared state ("+path+")", "shortJobs.mean", of(path, 60, 1), at{"architecture": "shared state"})
	}
	direction("single-worst", "one path for all jobs is worse than two", "shortJobs.mean", of("single-path", 10, 1), at{"architecture": "multi-path"})
	direction("conflicts", "conflicts become more frequent with the time of decisions", "conflictFraction", of("shared state", 60, conflicts), at{"decision": "0.1"})
	direction("conflicts-rate", "conflicts become more frequent with the rate of arrivals", "conflictFraction", of("shared state", 60, 2), at{"load": 1})
	direction("busy-rate", "schedulers are busier with the rate of arrivals", "busyness.short", of("shared state", 1, 2), at{"load": 1})
	d.Criteria = append(d.Criteria, study.Criterion{ID: "batch-unhurt", Source: source, Says: "with shared state batch jobs take at most 10 % longer beside slow decisions", Test: study.Test{
		Kind: study.Ratio, Metric: "shortJobs.mean", At: of("shared state", 60, 1), To: new(than("", at{"decision": "0.1"})), High: new(1.1),
	}})
	return d
}

func slowFrameworks(full bool) study.Document {
	const source = "section 4, on figure 7"
	d := cell(full, study.Factor{Name: "architecture", Levels: []study.Level{twoLevel, sharedState}}, decisions(0.1, 1, 10, 60))
	d.Criteria = []study.Criterion{
		trend("starved", source, "batch jobs take longer as decisions about service jobs do (Mesos)", "shortJobs.mean", at{"architecture": "two-level"}, "decision", false),
		larger("omega-faster", source, "beside slow decisions batch jobs are faster under Omega", "shortJobs.mean", at{"architecture": "two-level", "decision": "60"}, than("", at{"architecture": "shared state"})),
	}
	return d
}
