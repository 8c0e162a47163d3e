package gallery

import (
	"fmt"

	"berth/engine/qos/qoskind"
	"berth/engine/scenario"
	"berth/engine/study"
	"berth/engine/workload"
)

var (
	qosDriven = at{"policy": "qos"}
	priority  = at{"policy": "priority"}
)

const traceSetup = "Berth does not have the paper's ten samples of the Google trace of 2011. It generates a workload with bursts, a daily rhythm and peaks, with one seed per sample. " +
	"The full size has a million requests over 13.6 days, the reduced one 30,000 over 0.4 days, in each of 30 samples."

const demandSetup = traceSetup + " The number of hosts follows the peak; the paper has infinitely many."

// What the paper leaves open about its main experiment.
var (
	longRuns    = Variant{What: "requests that run half as long again", patch: at{"qos": at{"workload": at{"recipe": at{"parameters": at{"stretch": 1.5}}}}}}
	noLimit     = Variant{What: "no limit of the preemption overhead", patch: at{"qos": at{"noLimit": true}}}
	paperPreset = Variant{What: "a margin φ of 10 s and the watchdog of the paper instead of those of the logs", patch: at{"qos": at{"preset": "paper"}}}
)

func qosEntries() []Entry {
	return []Entry{
		{ID: "qos-1", Paper: "qos", Figure: "1", Title: "Demand for CPU over time", Generated: true,
			Shows: "The CPU that ten samples ask for over 29 days, by class. All have requests of every class, and differ in shape, mix and peak.",
			Setup: demandSetup, document: func(full bool) study.Document { return sampleDemand(full, "cpu", "1") }},
		{ID: "qos-2", Paper: "qos", Figure: "2", Title: "Demand for memory over time", Generated: true,
			Shows: "The memory that ten samples ask for over 29 days, by class. All have requests of every class, and differ in shape, mix and peak.",
			Setup: demandSetup, document: func(full bool) study.Document { return sampleDemand(full, "memory", "2") }},
		{ID: "qos-4", Paper: "qos", Figure: "4", Title: "Validation with three classes",
			Shows: "256 requests, more than 20 hosts can take. Priority-based, all gold and silver requests and 40 bronze ones always run, and the other 56 hardly ever; QoS-driven, all come close to their SLO.",
			Setup: "We generate allocation overheads like those that the authors measured with Kubernetes.", document: func(full bool) study.Document {
				return validationOne(validation(qoskind.Validation1, size(full, 10, 100)))
			},
			authors: authorsValidation("validation1", validationOne),
			Panels:  []Panel{{"met", "Requests whose SLO was kept"}, {"availability.mean", "Availability, mean"}, {"availability.min", "Availability, least"}}},
		{ID: "qos-5", Paper: "qos", Figure: "5", Title: "Validation with one class",
			Shows: "221 silver requests, and room for 200. Priority-based, the first 200 always run and 21 never; QoS-driven, all come close to 90 %.",
			Setup: "We generate allocation overheads like those that the authors measured with Kubernetes.", document: func(full bool) study.Document {
				return validationTwo(validation(qoskind.Validation2, size(full, 10, 100)))
			},
			authors: authorsValidation("validation2", validationTwo)},
		{ID: "qos-6", Paper: "qos", Figure: "6", Title: "Whose SLO was kept", Generated: true,
			Shows: "Nearly all gold requests meet their SLO under both schedulers. With fewer hosts, fewer requests do. With 0.9 N and 0.8 N hosts, QoS-driven scheduling keeps slightly fewer silver SLOs and slightly more bronze ones.",
			Setup: traceSetup, document: keptSLOs, Tried: []Variant{longRuns, noLimit, paperPreset}},
		{ID: "qos-7", Paper: "qos", Figure: "7", Title: "How far below the SLO", Generated: true,
			Shows: "Deficits are larger priority-based than QoS-driven, and grow as the number of hosts falls.",
			Setup: traceSetup, document: deficits,
			Panels: []Panel{{"shortfall", "Deficit over all requests, mean"}, {"deficit.mean", "Deficit, mean"}, {"deficit.p95", "Deficit, 95th percentile"}}},
		{ID: "qos-8", Paper: "qos", Figure: "8", Title: "What violations cost", Generated: true,
			Shows: "Priority-based penalties are 91.5 % above QoS-driven ones with N hosts, 193.7 % with 0.9 N and 3 % with 0.8 N.",
			Setup: traceSetup, document: penalties, Tried: []Variant{longRuns, noLimit, paperPreset}},
		{ID: "qos-9", Paper: "qos", Figure: "9", Title: "Fairness by contention", Generated: true,
			Shows: "Lowest availability, SLOs met and inequality in intervals of ten minutes, by contention and class. At medium contention, QoS-driven scheduling gives the worst silver request less and the worst bronze one more, meets more bronze SLOs, and treats silver requests less equally and bronze ones more equally. At high contention it gives the worst silver and bronze requests more, and treats both classes more equally.",
			Setup: traceSetup + " All intervals are from 0.8 N hosts, where contention is highest; the paper does not say which it uses.", document: fairness,
			Panels: []Panel{{"least", "Least availability in an interval, by contention and class"}, {"fulfilment", "SLOs kept, by contention and class"}, {"inequality", "Gini coefficient in an interval, by contention and class"}}},
	}
}

func generated(name, generator, preset string, parameters map[string]float64) scenario.Source {
	return scenario.Source{Name: name, Recipe: &workload.Recipe{Generator: generator, Preset: preset, Seed: 1, Parameters: parameters}}
}

func overheads() *scenario.Source {
	return new(generated("overheads", qoskind.OverheadsGenerator, qoskind.Validation, nil))
}

func bothPolicies() []qoskind.PolicyRun {
	return []qoskind.PolicyRun{{Name: "qos"}, {Name: "priority"}}
}

func validation(preset string, seeds int) study.Document {
	return study.Document{Seeds: seeds, Compare: "policy", Base: base(preset, qoskind.Name, &qoskind.Document{
		Workload: generated(preset, qoskind.RequestsGenerator, preset, nil), Hosts: generated("20 hosts", qoskind.HostsGenerator, qoskind.Validation, nil),
		Overheads: overheads(), Policies: bothPolicies(), Horizon: 3599, Seed: 1,
	})}
}

// "expected" is section 4.4.2, which says what has to come out; 4.4.3 finds it so.
func validationOne(d study.Document) study.Document {
	const source = "sections 4.4.2 and 4.4.3, pages 21 and 22, on figure 4"
	d.Metrics = []string{"met.gold", "met.silver", "met.bronze", "availability.mean.gold", "availability.mean.silver", "availability.mean.bronze", "availability.min.silver", "availability.min.bronze", "preemptions"}
	d.Criteria = []study.Criterion{
		within("priority-gold", source, "by priority gold requests have an availability of 100 %", "availability.mean.gold", priority, 1, 0.005),
		within("priority-silver", source, "by priority silver requests have an availability of 100 %", "availability.mean.silver", priority, 1, 0.005),
		within("priority-bronze", source, "by priority 40 of 96 bronze requests run, and 56 hardly ever", "met.bronze", priority, 40./96, 0.03),
		within("qos-gold", source, "QoS-driven, gold requests come close to their SLO of 100 %", "availability.mean.gold", qosDriven, 1, 0.02),
		within("qos-silver", source, "QoS-driven, silver requests come close to their SLO of 90 %", "availability.mean.silver", qosDriven, 0.9, 0.03),
		within("qos-bronze", source, "QoS-driven, bronze requests come close to their SLO of 50 %", "availability.mean.bronze", qosDriven, 0.5, 0.05),
		larger("bronze-least", source, "the worst bronze request has more QoS-driven than by priority", "availability.min.bronze", qosDriven, than("", priority)),
	}
	return d
}

func validationTwo(d study.Document) study.Document {
	const source = "sections 4.4.2 and 4.4.3, pages 22 and 23, on figure 5"
	d.Metrics = []string{"met", "availability.mean", "availability.min", "preemptions"}
	d.Criteria = []study.Criterion{
		within("priority-met", source, "by priority 200 of 221 requests run", "met", priority, 200./221, 0.001),
		within("priority-never", source, "by priority 21 requests have nothing", "availability.min", priority, 0, 0.001),
		within("qos-mean", source, "QoS-driven, requests come close to their SLO of 90 %", "availability.mean", qosDriven, 0.9, 0.02),
		within("qos-least", source, "QoS-driven, even the worst request comes close to 90 %", "availability.min", qosDriven, 0.9, 0.05),
	}
	return d
}

// samples is the paper's main experiment: samples of a trace on hosts for their peak,
// and on 0.9 and 0.8 of these.
func samples(full bool) study.Document {
	return study.Document{
		Seeds: 30, Compare: "policy",
		Factors: []study.Factor{{Name: "part", Path: "/qos/hosts/recipe/parameters/part", Levels: study.Values(1, 0.9, 0.8)}},
		Base: base("Samples of a trace", qoskind.Name, &qoskind.Document{
			Workload: generated("like Google's trace", qoskind.RequestsGenerator, qoskind.GoogleLike, map[string]float64{
				"requests": size(full, 30_000., 1_000_000), "days": size(full, 0.408, 13.6),
			}),
			Hosts:     generated("N", qoskind.HostsGenerator, qoskind.GoogleLike, map[string]float64{"part": 1}),
			Overheads: overheads(), Policies: bothPolicies(), Seed: 1,
		}),
	}
}

func part(p float64, policy string) at { return at{"part": p, "policy": policy} }

func keptSLOs(full bool) study.Document {
	const source = "sections 5.1.1 and 5.1.2, page 25, on figure 6"
	d := samples(full)
	d.Metrics = []string{"met.gold", "met.silver", "met.bronze", "availability.mean"}
	for _, p := range []float64{1, 0.9, 0.8} {
		d.Criteria = append(d.Criteria, atLeast(fmt.Sprint("gold-", p), source, fmt.Sprintf("at least 99.75 %% of the gold requests keep their SLO with %v N", p), "met.gold", part(p, "qos"), 0.9975))
	}
	for _, policy := range []string{"qos", "priority"} {
		d.Criteria = append(d.Criteria, trend("fewer-"+policy, source, "fewer bronze requests keep their SLO as the infrastructure shrinks ("+policy+")", "met.bronze", at{"policy": policy}, "part", true))
	}
	for _, p := range []float64{0.9, 0.8} {
		d.Criteria = append(d.Criteria,
			larger(fmt.Sprint("bronze-", p), source, fmt.Sprintf("more bronze requests keep their SLO QoS-driven with %v N", p), "met.bronze", part(p, "qos"), than("", part(p, "priority"))),
			larger(fmt.Sprint("silver-", p), source, fmt.Sprintf("fewer silver requests keep their SLO QoS-driven with %v N", p), "met.silver", part(p, "priority"), than("", part(p, "qos"))))
	}
	return d
}

func deficits(full bool) study.Document {
	const source = "section 5.1.5, page 27, on figure 7"
	d := samples(full)
	d.Metrics = []string{"shortfall.silver", "shortfall.bronze", "deficit.mean.silver", "deficit.mean.bronze", "deficit.p95.silver", "deficit.p95.bronze", "deficit.max"}
	// The figure has only the deficits of violated requests, and there may be none; how
	// many they are and how far they fall short are tested together.
	for _, p := range []float64{1, 0.9, 0.8} {
		for _, class := range []string{"silver", "bronze"} {
			d.Criteria = append(d.Criteria, larger(fmt.Sprintf("%s-%v", class, p), source, fmt.Sprintf("%s requests fall further short by priority with %v N", class, p),
				"shortfall."+class, part(p, "priority"), than("", part(p, "qos"))))
		}
	}
	for _, policy := range []string{"qos", "priority"} {
		d.Criteria = append(d.Criteria, trend("grow-"+policy, source, "requests fall further short as the infrastructure shrinks ("+policy+")", "shortfall", at{"policy": policy}, "part", false))
	}
	return d
}

func penalties(full bool) study.Document {
	const source = "section 5.2, page 30, on figure 8"
	d := samples(full)
	d.Metrics = []string{"penalty", "penalty.gold", "penalty.silver", "penalty.bronze"}
	for _, each := range []struct{ part, increase float64 }{{1, 0.915}, {0.9, 1.937}, {0.8, 0.03}} {
		d.Criteria = append(d.Criteria,
			larger(fmt.Sprint("dearer-", each.part), source, fmt.Sprintf("penalties are higher by priority with %v N", each.part), "penalty", part(each.part, "priority"), than("", part(each.part, "qos"))),
			// The tolerance is a tenth of the ratio.
			ratio(fmt.Sprint("increase-", each.part), source, fmt.Sprintf("penalties are %.1f %% higher with %v N", 100*each.increase, each.part),
				"penalty", part(each.part, "priority"), than("", part(each.part, "qos")), 1+each.increase, (1+each.increase)/10))
	}
	return d
}

// sampleDemand is what the samples ask for of a resource. The text makes no other claim
// about it that could be tested.
func sampleDemand(full bool, resource, figure string) study.Document {
	d := samples(full)
	d.Factors[0].Levels = d.Factors[0].Levels[:1]
	d.Metrics = []string{"demand." + resource}
	for _, class := range []string{"gold", "silver", "bronze"} {
		d.Metrics = append(d.Metrics, "demand."+resource+"."+class)
		d.Criteria = append(d.Criteria, atLeast(class, "section 4.2, page 18, on figure "+figure, "there are "+class+" requests", "requests."+class, priority, 1))
	}
	return d
}

func fairness(full bool) study.Document {
	const source = "section 5.3, pages 32 and 33, on figure 9"
	const conclusion = "conclusion, section 7, on figure 9"
	d := samples(full)
	d.Factors[0].Levels = study.Values(0.8)
	order := func(id, says, metric string, more, less at) study.Criterion {
		return larger(id, source, says, metric, more, than("", less))
	}
	d.Criteria = []study.Criterion{
		within("low-kept", source, "at low contention all bronze SLOs are kept QoS-driven, too", "fulfilment.low.bronze", qosDriven, 1, 0.005),
		order("medium-least-silver", "at medium contention the worst silver request has less QoS-driven", "least.medium.silver", priority, qosDriven),
		order("medium-least-bronze", "at medium contention the worst bronze request has more QoS-driven", "least.medium.bronze", qosDriven, priority),
		order("medium-kept-bronze", "at medium contention more bronze SLOs are kept QoS-driven", "fulfilment.medium.bronze", qosDriven, priority),
		within("medium-kept-silver", source, "at medium contention silver SLOs are kept QoS-driven, too", "fulfilment.medium.silver", qosDriven, 1, 0.005),
		within("medium-kept-gold", source, "at medium contention gold SLOs are kept QoS-driven, too", "fulfilment.medium.gold", qosDriven, 1, 0.005),
		order("medium-unequal-silver", "at medium contention silver requests are treated less equally QoS-driven", "inequality.medium.silver", qosDriven, priority),
		order("medium-equal-bronze", "at medium contention bronze requests are treated more equally QoS-driven", "inequality.medium.bronze", priority, qosDriven),
	}
	d.Criteria = append(d.Criteria,
		within("medium-least-7", conclusion, "by priority the worst bronze request has 7 %", "least.medium.bronze", priority, 0.07, 0.05),
		within("medium-least-90", conclusion, "QoS-driven the worst bronze request has 90 %", "least.medium.bronze", qosDriven, 0.9, 0.05))
	for _, class := range []string{"silver", "bronze"} {
		d.Criteria = append(d.Criteria,
			order("high-least-"+class, "at high contention the worst "+class+" request has more QoS-driven", "least.high."+class, qosDriven, priority),
			order("high-equal-"+class, "at high contention "+class+" requests are treated more equally QoS-driven", "inequality.high."+class, priority, qosDriven))
	}
	for _, level := range []string{"low", "medium", "high"} {
		for _, name := range []string{"least", "fulfilment", "inequality"} {
			for _, class := range []string{"gold", "silver", "bronze"} {
				d.Metrics = append(d.Metrics, name+"."+level+"."+class)
			}
		}
	}
	return d
}
