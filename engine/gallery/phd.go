package gallery

import (
	"fmt"
	"strings"

	"berth/engine/qos/qoskind"
	"berth/engine/scenario"
	"berth/engine/study"
)

const firstHourSetup = "The thesis runs the first hour of the Google trace of 2011 on 620 of its hosts. Berth does not have that trace and generates both. " +
	"The reduced size has a tenth of the hosts and requests."

// Without what is saved, a run on 620 hosts takes many times as long.
const halfSetup = firstHourSetup + " The full size has half of the hosts, 310."

// The QoS-driven scheduler as the thesis has it looks at every request that waits, so
// that 620 hosts at high contention would take minutes by run and hours in all.
const fifthSetup = firstHourSetup + " The full size has a fifth of the hosts, 124, because Berth runs the loops that the optimisations save in order to count them."

// classesWithinJobs ends equivalence classes at the job, since the thesis does not say how
// far they reach: of its numbers, 3.87 million operations are between those of both.
func classesWithinJobs(of ...qoskind.PolicyRun) Variant {
	var policies []any
	for _, p := range of {
		if p.Savings != nil {
			p.Savings = new(*p.Savings)
			p.Savings.WithinJob = true
		}
		policies = append(policies, p)
	}
	return Variant{What: "equivalence classes that end at the job", patch: at{"qos": at{"policies": policies}}}
}

// queueOverTime takes the mean length of the queue over time, which counts when it is empty,
// instead of over the passes: the thesis does not say which of both its mean is.
var queueOverTime = Variant{What: "the mean length of the queue over time instead of over the passes", change: func(d study.Document, _ bool) study.Document {
	const overTime = "queue.time"
	d.Metrics = []string{"passes", overTime}
	for i := range d.Criteria {
		if test := &d.Criteria[i].Test; test.Metric == "queue" {
			test.Metric = overTime
		}
	}
	return d
}}

// instant are allocations without overheads, on hosts where the instance has run and on
// others.
var instant = Variant{What: "allocations that take no time", patch: at{"qos": at{"overheads": nil, "overheadsHot": nil, "overheadsCold": nil}}}

func phdEntries() []Entry {
	return []Entry{
		{ID: "phd-7.1", Paper: "phd", Figure: "7.1 and 7.2", Title: "Relaxed randomisation by priority", Generated: true,
			Shows: "Checking 5 % of the hosts instead of all hardly changes how many SLOs the priority-based policy keeps.",
			Setup: halfSetup, document: func(full bool) study.Document { return relaxed(firstHour(size(full, 62, 310)), "priority", "7.1") },
			authors: onTheHour(3, func(d study.Document) study.Document { return relaxed(d, "priority", "7.1") }, instant), Tried: []Variant{instant}},
		{ID: "phd-7.3", Paper: "phd", Figure: "7.3 and 7.4", Title: "Relaxed randomisation QoS-driven", Generated: true,
			Shows: "Checking 5 % of the hosts instead of all hardly changes how many SLOs the QoS-driven policy keeps.",
			Setup: fifthSetup, document: func(full bool) study.Document { return relaxed(firstHour(size(full, 62, 124)), "qos", "7.3") },
			authors: onTheHour(2, func(d study.Document) study.Document { return relaxed(d, "qos", "7.3") })},
		{ID: "phd-7.5", Paper: "phd", Figure: "7.5 and table 7.1", Title: "Operations of the schedulers", Generated: true,
			Shows: "Millions of operations at low, medium and high contention: priority-based 3.87, 7.16 and 11.4; QoS-driven 67.9, 112 and 161 with optimisations, 336, 751 and 854 without.",
			Setup: fifthSetup + " The thesis has 620 hosts, so we test ratios of its numbers.", document: func(full bool) study.Document { return operations(firstHour(size(full, 62, 124))) },
			authors: onTheHour(2, operations, classesWithinJobs(byPriority, optimised, notOptimised)), Tried: []Variant{classesWithinJobs(byPriority, optimised, notOptimised)}},
		{ID: "phd-7.6", Paper: "phd", Figure: "7.6", Title: "Passes over the queue, and its length", Generated: true,
			Shows: "The priority-based policy makes slightly more passes over the queue, 1,390 on average against 1,264; the queue of the QoS-driven policy is 1.4 times as long.",
			Setup: fifthSetup, document: func(full bool) study.Document { return passes(firstHour(size(full, 62, 124))) }, authors: onTheHour(3, passes, queueOverTime), Tried: []Variant{paperPreset}},
		{ID: "phd-7.7", Paper: "phd", Figure: "7.7", Title: "What caching scores saves", Generated: true,
			Shows: "Without score caching the priority-based policy takes 56, 162 and 293 million operations at low, medium and high contention: about 14, 23 and 26 times as many.",
			Setup: halfSetup, document: func(full bool) study.Document { return caching(firstHour(size(full, 62, 310)), full) },
			authors: onTheHour(3, func(d study.Document) study.Document { return caching(d, true) }, classesWithinJobs(byPriority, withoutCache)), Tried: []Variant{classesWithinJobs(byPriority, withoutCache)}},
		{ID: "phd-7.10", Paper: "phd", Figure: "7.10", Title: "Controllers with two instances each",
			Shows: "Mean availability of 53 Deployments, priority-based and QoS-driven: 88.6 and 91.1 % as independent, 90.5 and 92.5 % as concurrent, 94.3 and 93.3 % as aggregated.",
			Setup: "We simulate what the thesis measured on a cluster. It does not say in which order the services submit, and contradicts itself: by priority 88.6 % is 47 of 53 Deployments with both instances, 90.5 % is 48 of 53, and no single order gives both. " +
				"So there are two settings. If service 3 submits first, six Deployments keep one instance; if service 1 does, three keep none.",
			Tried: []Variant{
				{What: "allocations that take 2.4 times as long", patch: at{"qos": at{"overheads": at{"recipe": at{"parameters": at{"median": 5.5}}}}}},
				instant,
				noLimit,
			}, document: controllers},
	}
}

// contention is the limit of admission that the thesis calls low, medium and high.
func contention() study.Factor {
	f := study.Factor{Name: "contention"}
	for _, level := range []struct {
		label string
		limit float64
	}{{"low", 0.9}, {"medium", 0.95}, {"high", 1}} {
		f.Levels = append(f.Levels, study.Level{Label: level.label, Patch: at{"qos": at{"admission": at{"limit": level.limit}}}})
	}
	return f
}

// requestsByHost is how many requests the published hour has for each host, with those
// that its admission refused.
const requestsByHost = 42

// firstHour is an hour of requests on some of the thesis's 620 hosts.
func firstHour(hosts int) study.Document {
	return study.Document{
		Seeds: 10, Factors: []study.Factor{contention()},
		Base: base("The first hour", qoskind.Name, &qoskind.Document{
			Workload:  generated("the first hour", qoskind.RequestsGenerator, qoskind.FirstHour, map[string]float64{"requests": float64(requestsByHost * hosts)}),
			Hosts:     generated(fmt.Sprint(hosts, " hosts"), qoskind.HostsGenerator, qoskind.FirstHour, map[string]float64{"count": float64(hosts)}),
			Overheads: overheads(), Admission: &qoskind.Admission{Limit: 0.9}, Horizon: 3600, Seed: 1,
		}),
	}
}

var (
	byPriority    = qoskind.PolicyRun{Name: "priority", Label: "priority, optimised", Savings: &qoskind.Savings{ScoreCaching: true, EquivalenceClass: true, Relaxed: 0.05}}
	withoutCache  = qoskind.PolicyRun{Name: "priority", Label: "priority, without caching", Savings: &qoskind.Savings{EquivalenceClass: true, Relaxed: 0.05}}
	optimised     = qoskind.PolicyRun{Name: "qos", Label: "QoS-driven, optimised", Savings: &qoskind.Savings{EquivalenceClass: true, Relaxed: 0.05, Pruning: "printed"}}
	notOptimised  = qoskind.PolicyRun{Name: "qos", Label: "QoS-driven, not optimised", Scheduler: qoskind.Literal}
	allContention = []string{"low", "medium", "high"}
)

// withPolicies puts policies into the base of an experiment.
func withPolicies(d study.Document, policies ...qoskind.PolicyRun) study.Document {
	qoskind.Of(d.Base).Policies = policies
	return d
}

func contended(level string, p qoskind.PolicyRun) at {
	return at{"contention": level, "policy": p.Label}
}

func relaxed(d study.Document, policy, figure string) study.Document {
	source := fmt.Sprintf("section 7.1.5, on figure %s: differences are not substantial", figure)
	run := qoskind.PolicyRun{Name: policy, Savings: &qoskind.Savings{EquivalenceClass: true, Relaxed: 0.05}}
	if policy == "priority" {
		run.Savings.ScoreCaching = true
	}
	d = withPolicies(d, run)
	d.Factors = append(d.Factors, study.Factor{Name: "relaxed", Path: "/qos/policies/0/savings/relaxed", Levels: study.Values(0.05, 0.1, 0.25, 0.5, 1)})
	d.Metrics = []string{"met", "met.gold", "met.silver", "met.bronze", "penalty"}
	all := at{"relaxed": 1}
	for _, level := range allContention {
		// A difference of a hundredth is taken for one that is not substantial, of penalties,
		// which vary more, one of a tenth.
		for _, part := range []float64{0.05, 0.1} {
			at := at{"contention": level, "relaxed": part}
			d.Criteria = append(d.Criteria,
				ratio(fmt.Sprintf("kept-%v-%s", part, level), source, fmt.Sprintf("as many SLOs are kept with %v %% of the hosts as with all (%s contention)", 100*part, level), "met", at, than("", all), 1, 0.01),
				ratio(fmt.Sprintf("penalty-%v-%s", part, level), source, fmt.Sprintf("penalties with %v %% of the hosts are those with all (%s contention)", 100*part, level), "penalty", at, than("", all), 1, 0.1))
		}
	}
	return d
}

func operations(d study.Document) study.Document {
	const source = "section 7.1.5, table 7.1"
	d = withPolicies(d, byPriority, optimised, notOptimised)
	d.Metrics, d.Compare = []string{"operations"}, "policy"
	printed := map[string][3]float64{"low": {3.87, 67.9, 336}, "medium": {7.16, 112, 751}, "high": {11.4, 161, 854}}
	for _, level := range allContention {
		d.Criteria = append(d.Criteria,
			larger("qos-more-"+level, source, "QoS-driven takes more than priority at "+level+" contention", "operations", contended(level, optimised), than("", contended(level, byPriority))),
			larger("optimised-less-"+level, source, "the optimisations save operations at "+level+" contention", "operations", contended(level, notOptimised), than("", contended(level, optimised))))
		times := func(i int, a, b qoskind.PolicyRun) study.Criterion {
			value := printed[level][i+1] / printed[level][i]
			return ratio(fmt.Sprintf("times-%d-%s", i, level), source, fmt.Sprintf("%.3g times as many operations, %s, as %s, at %s contention", value, a.Label, b.Label, level),
				"operations", contended(level, a), than("", contended(level, b)), value, value/10)
		}
		d.Criteria = append(d.Criteria, times(0, optimised, byPriority), times(1, notOptimised, optimised))
	}
	for i, p := range []qoskind.PolicyRun{byPriority, optimised, notOptimised} {
		d.Criteria = append(d.Criteria, trend(fmt.Sprintf("grows-%d", i), source, "operations grow with the contention: "+p.Label, "operations", at{"policy": p.Label}, "contention", false))
	}
	return d
}

func passes(d study.Document) study.Document {
	const source = "section 7.1.5, on figure 7.6"
	d = withPolicies(d, byPriority, optimised)
	d.Metrics, d.Compare = []string{"passes", "queue"}, "policy"
	for _, level := range allContention {
		d.Criteria = append(d.Criteria,
			larger("passes-"+level, source, "priority goes through the queue more often at "+level+" contention", "passes", contended(level, byPriority), than("", contended(level, optimised))),
			larger("queue-"+level, source, "the queue is longer QoS-driven at "+level+" contention", "queue", contended(level, optimised), than("", contended(level, byPriority))))
	}
	// The text has these numbers as means over the levels.
	over := func(id, says, metric string, of, to qoskind.PolicyRun, value float64) study.Criterion {
		c := ratio(id, source, says, metric, at{"policy": of.Label}, than("", at{"policy": to.Label}), value, value/10)
		c.Test.Over = "contention"
		return c
	}
	d.Criteria = append(d.Criteria,
		over("passes-times", "1.10 times as many passes by priority, on average", "passes", byPriority, optimised, 1390./1264),
		over("queue-times", "a queue 1.4 times as long QoS-driven, on average", "queue", optimised, byPriority, 1.4))
	return d
}

func caching(d study.Document, full bool) study.Document {
	const source = "section 7.1.5, on figure 7.7"
	d = withPolicies(d, byPriority, withoutCache)
	d.Metrics, d.Compare = []string{"operations", "operationsPerPass"}, "policy"
	for i, level := range allContention {
		times := [...]float64{14, 23, 26}[i]
		d.Criteria = append(d.Criteria,
			larger("saves-"+level, source, "caching saves operations at "+level+" contention", "operations", contended(level, withoutCache), than("", contended(level, byPriority))),
			larger("saves-per-pass-"+level, source, "caching saves operations in a pass at "+level+" contention", "operationsPerPass", contended(level, withoutCache), than("", contended(level, byPriority))))
		if full {
			d.Criteria = append(d.Criteria, ratio("times-"+level, source, fmt.Sprintf("%v times as many without caching at %s contention", times, level),
				"operations", contended(level, withoutCache), than("", contended(level, byPriority)), times, times/10))
		}
	}
	return d
}

// submissions are the orders in which the services submit: when the first Deployment of
// each does, in seconds.
var submissions = []struct {
	first  string
	submit [3]float64
}{{"service 3", [3]float64{33, 17, 0}}, {"service 1", [3]float64{0, 20, 36}}}

// controllers is the experiment of section 7.2.6: 53 Deployments of two instances,
// one a second. Of the 4 GB of a host Kubernetes takes a quarter of one; what is left
// has room for 20 instances, 100 of 106 in all.
func controllers(full bool) study.Document {
	hosts := "name,cpu,memory,attributes\n"
	for i := range 5 {
		hosts += fmt.Sprintf("node-%d,4,3.75,\n", i+1)
	}
	q := qoskind.Document{
		Hosts: scenario.Source{Name: "nodes.csv", Text: hosts}, Overheads: overheads(), Policies: bothPolicies(),
		Preset: "paper", Horizon: 3600, Seed: 1, // φ = 10 s
	}
	q.Classes, q.Controllers = services(submissions[0].submit, "aggregated")
	// The controllers are a list, which a patch replaces as a whole: one factor has all.
	both := study.Factor{Name: "setting"}
	for _, s := range submissions {
		for _, m := range []string{"independent", "concurrent", "aggregated"} {
			_, all := services(s.submit, m)
			both.Levels = append(both.Levels, study.Level{Label: m + ", " + s.first + " first", Patch: at{"qos": at{"controllers": all}}})
		}
	}
	return study.Document{
		Base: base("53 Deployments", qoskind.Name, &q), Factors: []study.Factor{both}, Seeds: size(full, 10, 50),
		Metrics: []string{"controllers.availability", "controllers.met", "preemptions"}, Compare: "policy", Criteria: ofControllers(),
	}
}

// services are the three of the thesis with their Deployments.
func services(submit [3]float64, measure string) (classes []qoskind.Class, all []qoskind.Controller) {
	for i, service := range []struct {
		slo   float64
		count int
	}{{1, 20}, {0.95, 16}, {0.9, 17}} {
		class := fmt.Sprintf("service %d", i+1)
		classes = append(classes, qoskind.Class{Name: class, SLO: service.slo})
		all = append(all, qoskind.Controller{
			Name: strings.ReplaceAll(class, " ", "-"), Kind: "deployment", Class: class, Copies: service.count, Interval: 1,
			Replicas: 2, CPU: 0.187, Memory: 0.187, Submit: submit[i], Measure: measure,
		})
	}
	return classes, all
}

func ofControllers() (all []study.Criterion) {
	const source = "section 7.2.6, on figure 7.10"
	for _, each := range []struct {
		measure       string
		priority, qos float64
	}{{"independent", 0.886, 0.911}, {"concurrent", 0.905, 0.925}, {"aggregated", 0.943, 0.933}} {
		cell := func(policy string) at {
			return at{"setting": each.measure + ", service 3 first", "policy": policy}
		}
		better, worse, more := "qos", "priority", each.qos/each.priority
		if each.priority > each.qos {
			better, worse, more = worse, better, each.priority/each.qos
		}
		order := larger("order-"+each.measure, source, better+" gives more than "+worse+", "+each.measure, "controllers.availability", cell(better), than("", cell(worse)))
		order.Test.Least = new((more - 1) / 2) // half of the thesis's own effect, which is below 5 %
		all = append(all, order,
			// Half a point, since the text prints one decimal of a measurement.
			within("priority-"+each.measure, source, fmt.Sprintf("%.1f %% by priority, %s", 100*each.priority, each.measure), "controllers.availability", cell("priority"), each.priority, 0.005),
			within("qos-"+each.measure, source, fmt.Sprintf("%.1f %% QoS-driven, %s", 100*each.qos, each.measure), "controllers.availability", cell("qos"), each.qos, 0.005))
	}
	return all
}
