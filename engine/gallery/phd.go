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

func phdEntries() []Entry {
	return []Entry{
		{ID: "phd-7.1", Paper: "phd", Figure: "7.1 and 7.2", Title: "Relaxed randomisation by priority", Generated: true,
			Shows: "Checking 5 % of the hosts instead of all hardly changes how many SLOs the priority-based policy keeps.",
			Setup: halfSetup, document: func(full bool) study.Document { return relaxed(size(full, 62, 310), "priority", "7.1") }},
		{ID: "phd-7.3", Paper: "phd", Figure: "7.3 and 7.4", Title: "Relaxed randomisation QoS-driven", Generated: true,
			Shows: "Checking 5 % of the hosts instead of all hardly changes how many SLOs the QoS-driven policy keeps.",
			Setup: fifthSetup, document: func(full bool) study.Document { return relaxed(size(full, 62, 124), "qos", "7.3") }},
		{ID: "phd-7.5", Paper: "phd", Figure: "7.5 and table 7.1", Title: "Operations of the schedulers", Generated: true,
			Shows: "Millions of operations at low, medium and high contention: priority-based 3.87, 7.16 and 11.4; QoS-driven 67.9, 112 and 161 with optimisations, 336, 751 and 854 without.",
			Setup: fifthSetup + " The thesis has 620 hosts, so we test ratios of its numbers.", document: operations},
		{ID: "phd-7.6", Paper: "phd", Figure: "7.6", Title: "Passes over the queue, and its length", Generated: true,
			Shows: "The priority-based policy makes slightly more passes over the queue, 1,390 on average against 1,264; the queue of the QoS-driven policy is 1.4 times as long.",
			Setup: fifthSetup, document: passes, Tried: []Variant{
				{What: "a margin φ of 10 s and the watchdog of the paper instead of those of the logs", patch: at{"qos": at{"preset": "paper"}}},
			}},
		{ID: "phd-7.7", Paper: "phd", Figure: "7.7", Title: "What caching scores saves", Generated: true,
			Shows: "Without score caching the priority-based policy takes 56, 162 and 293 million operations at low, medium and high contention: about 14, 23 and 26 times as many.",
			Setup: halfSetup, document: caching},
		{ID: "phd-7.10", Paper: "phd", Figure: "7.10", Title: "Controllers with two instances each",
			Shows: "Mean availability of 53 Deployments, priority-based and QoS-driven: 88.6 and 91.1 % as independent, 90.5 and 92.5 % as concurrent, 94.3 and 93.3 % as aggregated.",
			Setup: "We simulate what the thesis measured on a cluster. The thesis does not say in which order the services submit. Here service 1, the most important one, submits first, and the priority-based policy leaves no Deployment with only one of its two instances. If others submit first, six Deployments lose an instance and 47 of 53 keep both, which gives the 88.6 %.",
			Tried: []Variant{
				{What: "the Deployments of service 3 submitted first and those of service 1 last", document: func(full bool) study.Document { return controllers(full, 1, 33, 17, 0) }},
				{What: "Deployments of the three services submitted in turn", document: func(full bool) study.Document { return controllers(full, 3, 0, 1, 2) }},
				{What: "allocations that take no time", patch: at{"qos": at{"overheads": nil}}},
				{What: "no limit of the preemption overhead", patch: at{"qos": at{"noLimit": true}}},
			}, document: func(full bool) study.Document { return controllers(full, 1, 0, 20, 36) }},
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

// firstHour is an hour of requests on some of the thesis's 620 hosts.
func firstHour(hosts int, policies ...qoskind.PolicyRun) study.Document {
	return study.Document{
		Seeds: 10, Factors: []study.Factor{contention()},
		Base: base("The first hour", qoskind.Name, &qoskind.Document{
			Workload:  generated("the first hour", qoskind.RequestsGenerator, qoskind.GoogleLike, map[string]float64{"requests": float64(200 * hosts), "days": 1. / 24}),
			Hosts:     generated(fmt.Sprint(hosts, " hosts"), qoskind.HostsGenerator, qoskind.GoogleLike, map[string]float64{"count": float64(hosts)}),
			Overheads: overheads(), Admission: &qoskind.Admission{Limit: 0.9}, Policies: policies, Horizon: 3600, Seed: 1,
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

func contended(level string, p qoskind.PolicyRun) at {
	return at{"contention": level, "policy": p.Label}
}

func relaxed(hosts int, policy, figure string) study.Document {
	source := fmt.Sprintf("section 7.1.5, on figure %s: differences are not substantial", figure)
	run := qoskind.PolicyRun{Name: policy, Savings: &qoskind.Savings{EquivalenceClass: true, Relaxed: 0.05}}
	if policy == "priority" {
		run.Savings.ScoreCaching = true
	}
	d := firstHour(hosts, run)
	d.Factors = append(d.Factors, study.Factor{Name: "relaxed", Path: "/qos/policies/0/savings/relaxed", Levels: study.Values(0.05, 0.25, 0.5, 1)})
	d.Metrics = []string{"met", "met.gold", "met.silver", "met.bronze", "penalty"}
	for _, level := range allContention {
		// A difference of a hundredth is taken for one that is not substantial.
		d.Criteria = append(d.Criteria, ratio("kept-"+level, source, "as many SLOs are kept with 5 % of the hosts as with all ("+level+" contention)",
			"met", at{"contention": level, "relaxed": 0.05}, than("", at{"relaxed": 1}), 1, 0.01))
	}
	return d
}

func operations(full bool) study.Document {
	const source = "section 7.1.5, table 7.1"
	d := firstHour(size(full, 62, 124), byPriority, optimised, notOptimised)
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

func passes(full bool) study.Document {
	const source = "section 7.1.5, on figure 7.6"
	d := firstHour(size(full, 62, 124), byPriority, optimised)
	d.Metrics, d.Compare = []string{"passes", "queue"}, "policy"
	for _, level := range allContention {
		d.Criteria = append(d.Criteria,
			larger("passes-"+level, source, "priority goes through the queue more often at "+level+" contention", "passes", contended(level, byPriority), than("", contended(level, optimised))),
			larger("queue-"+level, source, "the queue is longer QoS-driven at "+level+" contention", "queue", contended(level, optimised), than("", contended(level, byPriority))))
	}
	return d
}

func caching(full bool) study.Document {
	const source = "section 7.1.5, on figure 7.7"
	d := firstHour(size(full, 62, 310), byPriority, withoutCache)
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

// controllers is the experiment of section 7.2.6: 53 Deployments of two instances,
// one a second. Of the 4 GB of a host Kubernetes takes a quarter of one; what is left
// has room for 20 instances, 100 of 106 in all. The Deployments of a service come
// interval seconds apart, the first one when submit says.
func controllers(full bool, interval float64, submit ...float64) study.Document {
	const source = "section 7.2.6, on figure 7.10"
	hosts := "name,cpu,memory,attributes\n"
	for i := range 5 {
		hosts += fmt.Sprintf("node-%d,4,3.75,\n", i+1)
	}
	q := qoskind.Document{
		Hosts: scenario.Source{Name: "nodes.csv", Text: hosts}, Overheads: overheads(), Policies: bothPolicies(),
		Preset: "paper", Horizon: 3600, Seed: 1, // φ = 10 s
	}
	for i, service := range []struct {
		slo   float64
		count int
	}{{1, 20}, {0.95, 16}, {0.9, 17}} {
		class := fmt.Sprintf("service %d", i+1)
		q.Classes = append(q.Classes, qoskind.Class{Name: class, SLO: service.slo})
		q.Controllers = append(q.Controllers, qoskind.Controller{
			Name: strings.ReplaceAll(class, " ", "-"), Kind: "deployment", Class: class, Copies: service.count, Interval: interval,
			Replicas: 2, CPU: 0.187, Memory: 0.187, Submit: submit[i], Measure: "aggregated",
		})
	}
	measure := study.Factor{Name: "measure"}
	for _, m := range []string{"independent", "concurrent", "aggregated"} {
		var all []any
		for _, c := range q.Controllers {
			c.Measure = m
			all = append(all, c)
		}
		measure.Levels = append(measure.Levels, study.Level{Label: m, Patch: at{"qos": at{"controllers": all}}})
	}
	d := study.Document{
		Base: base("53 Deployments", qoskind.Name, &q), Factors: []study.Factor{measure}, Seeds: size(full, 10, 50),
		Metrics: []string{"controllers.availability", "controllers.met", "preemptions"}, Compare: "policy",
	}
	for _, each := range []struct {
		measure       string
		priority, qos float64
	}{{"independent", 0.886, 0.911}, {"concurrent", 0.905, 0.925}, {"aggregated", 0.943, 0.933}} {
		cell := func(policy string) at { return at{"measure": each.measure, "policy": policy} }
		better, worse := "qos", "priority"
		if each.priority > each.qos {
			better, worse = worse, better
		}
		d.Criteria = append(d.Criteria,
			larger("order-"+each.measure, source, better+" gives more than "+worse+", "+each.measure, "controllers.availability", cell(better), than("", cell(worse))),
			// Half a point, since the text prints one decimal of a measurement.
			within("priority-"+each.measure, source, fmt.Sprintf("%.1f %% by priority, %s", 100*each.priority, each.measure), "controllers.availability", cell("priority"), each.priority, 0.005),
			within("qos-"+each.measure, source, fmt.Sprintf("%.1f %% QoS-driven, %s", 100*each.qos, each.measure), "controllers.availability", cell("qos"), each.qos, 0.005))
	}
	return d
}
