package gallery

import (
	"fmt"

	"berth/engine/federate/federatekind"
	"berth/engine/study"
	"berth/engine/workload"
)

const meghaSetup = "The paper's samples of traces are not public: we generate as many tasks, at loads where its findings can appear. " +
	"The times of masters come from a model, not from a prototype in Python."

func meghaEntries() []Entry {
	entry := func(figure, name, title, shows string, document func(bool) study.Document) Entry {
		return Entry{ID: "megha-" + figure, Paper: "megha", Figure: name, Title: title, Shows: shows, Setup: meghaSetup, Generated: true, document: document}
	}
	nine := entry("9", "9", "More masters for the same workers",
		"With 30,000 workers, more GMs and more LMs shorten the allocation time; with more GMs than LMs it is slightly longer.", moreMasters)
	const stateSetup = " An answer of an LM carries the state of all its workers, as the paper says. The paper does not print the load of these runs: here jobs come 5 µs apart."
	nine.Setup += stateSetup + " At that load the GMs set the pace, and twenty are faster than ten. Where LMs set it, because they take longer to verify a request, more GMs are slower, as the paper says and the variants show."
	nine.Tried = []Variant{
		changedState,
		{What: "jobs that come 50 µs apart, and an LM that takes 0.6 ms to verify a request: with twenty GMs the LMs set the pace", patch: paced(0.00005, 0.0006)},
		{What: "jobs that come 200 µs apart, and an LM that takes 0.6 ms to verify a request: the LMs always set the pace", patch: paced(0.0002, 0.0006)},
	}
	eight := entry("8", "8", "More workers for the same masters",
		"With ten GMs and ten LMs the allocation time grows with the number of workers, because each update that a GM adopts is larger.", moreWorkers)
	eight.Setup += stateSetup
	eight.Tried = []Variant{changedState, {What: "jobs that come 500 µs apart", patch: apart(0.0005)}}
	seven := entry("7", "7", "What the allocation time consists of",
		"In the median, communication makes up more than 90 % of the allocation time, queueing about 7 % and processing less than 3 %.", components)
	seven.Tried = []Variant{
		{What: "a task that takes 10 ms to reach its worker instead of 20; the paper says tens of milliseconds", patch: at{"federate": at{"launchDelay": 0.01}}},
	}
	return []Entry{
		entry("3", "3 and 4", "Megha and Sparrow on 10,000 workers",
			"Allocation times of both: Sparrow's median is smaller, but Megha's are always below 1.5 s and Sparrow's run into tens of seconds.", meghaAndSparrow),
		entry("5", "5", "How many slots the workload asks for",
			"The slots that the Cloudera sample asks for over time. Megha allocates its tasks within 1.5 s on 10,000 workers, so that these have slots for all.", demand),
		entry("6", "6", "Many masters against one",
			"One GM and one LM have a much higher allocation time than ten of each, on 10,000 and on 20,000 workers.", againstCentral),
		seven,
		eight,
		nine,
		entry("10", "10", "Four users in a cluster that shrinks",
			"The smaller the cluster, the longer the allocation time.", shrinking),
		entry("11", "11", "Preemptions and repartitions in a cluster that shrinks",
			"The smaller the cluster, the more preemptions, attempts at preemption and repartitions.", shrinkingCounts),
		entry("12", "12", "Tasks that get in each other's way",
			"Allocation times of the prototype are longer than those of the simulation, because tasks on the same worker slow each other down.", interference),
	}
}

// apart is a patch of the time between jobs.
func apart(seconds float64) at {
	return at{"federate": at{"trace": at{"recipe": at{"parameters": at{"interarrival": seconds}}}}}
}

// paced is a patch of the time between jobs and of what an LM spends on a request, in seconds.
func paced(interarrival, verify float64) at {
	return at{"federate": at{
		"trace": at{"recipe": at{"parameters": at{"interarrival": interarrival}}},
		"costs": at{"verify": verify},
	}}
}

// masters is Megha with a workload like one of the paper's.
func masters(full bool, preset string, parameters map[string]float64, d federatekind.Document, factors ...study.Factor) study.Document {
	d.Trace = generated("like "+preset, workload.JobsGenerator, preset, parameters)
	d.Seed = 1
	if d.Schedulers == nil {
		d.Schedulers = []string{"megha"}
	}
	return study.Document{
		Base: base("Like "+preset, federatekind.Name, &d), Factors: factors, Seeds: size(full, 5, 30), Compare: "scheduler",
		Metrics: []string{"allocation.mean", "allocation.p50", "allocation.p99", "allocation.max"},
	}
}

func cloudera(full bool, schedulers ...string) study.Document {
	return masters(full, "cloudera", nil, federatekind.Document{
		Workers: 10_000, GMs: 10, LMs: 10, Preset: federatekind.PaperPreset, Schedulers: schedulers,
	})
}

func meghaAndSparrow(full bool) study.Document {
	const source = "section VI-A, on figures 3 and 4"
	megha, sparrow := at{"scheduler": "megha"}, at{"scheduler": "sparrow"}
	d := cloudera(full, "megha", "sparrow")
	d.Metrics = []string{
		"allocation.p50", "allocation.mean", "allocation.p90", "allocation.p99", "allocation.p999", "allocation.p9999", // as in figure 4
		"allocation.max",
	}
	d.Criteria = []study.Criterion{
		larger("median", source, "Sparrow's median is smaller", "allocation.p50", megha, than("", sparrow)),
		atMost("megha-longest", source, "Megha's are always below 1.5 s", "allocation.max", megha, 1.5),
		larger("tail", source, "Sparrow's have the longer tail", "allocation.p99", sparrow, than("", megha)),
		{ID: "two-orders", Source: "abstract and section VI-A, on figures 3 and 4", Says: "Sparrow's 99th percentile is two orders of magnitude above Megha's", Test: study.Test{
			Kind: study.Ratio, Metric: "allocation.p99", At: sparrow, To: new(than("", megha)), Low: new(100.),
		}},
		atLeast("sparrow-longest", source, "Sparrow's run into tens of seconds", "allocation.max", sparrow, 10),
	}
	return d
}

func demand(full bool) study.Document {
	d := cloudera(full, "ideal")
	d.Metrics = []string{"demand.peak", "utilisation"}
	d.Criteria = []study.Criterion{
		// Megha's are below 1.5 s on these workers, so that hardly a task waits for a slot.
		atMost("fits", "section VI-A, on figure 5", "the workload never asks for more slots than the 10,000 workers have", "demand.peak", nil, 10_000),
	}
	return d
}

func alibaba(full bool, workers int, interarrival float64, schedulers []string, factors ...study.Factor) study.Document {
	return masters(full, "alibaba", map[string]float64{"interarrival": interarrival},
		federatekind.Document{Workers: workers, GMs: 10, LMs: 10, Schedulers: schedulers}, factors...)
}

func factor(name string, levels ...int) study.Factor {
	return study.Factor{Name: name, Path: "/federate/" + name, Levels: study.Values(levels...)}
}

func againstCentral(full bool) study.Document {
	d := alibaba(full, 10_000, 0.00005, []string{"megha", "megha-1"}, factor("workers", 10_000, 20_000))
	for _, n := range []int{10_000, 20_000} {
		d.Criteria = append(d.Criteria, larger(fmt.Sprint("longer-", n), "section VI-A, on figure 6", fmt.Sprintf("one GM and one LM take longer on %d workers", n),
			"allocation.mean", at{"workers": n, "scheduler": "megha-1"}, than("", at{"scheduler": "megha"})))
	}
	return d
}

func components(full bool) study.Document {
	const source = "section VI-B, on figure 7"
	d := cloudera(full, "megha")
	d.Metrics = []string{"allocation.p50", "communication.p50", "queueing.p50", "processing.p50", "worker.p50", "communication", "queueing", "processing", "worker"}
	all := than("allocation.p50", nil)
	share := func(id, says, metric string, low, high float64) study.Criterion {
		return study.Criterion{ID: id, Source: source, Says: says, Test: study.Test{Kind: study.Ratio, Metric: metric, To: &all, Low: &low, High: &high}}
	}
	d.Criteria = []study.Criterion{
		share("communication", "communication is over 90 %", "communication.p50", 0.9, 1),
		share("queueing", "queueing is about 7 %", "queueing.p50", 0.05, 0.09),
		share("processing", "processing is less than 3 %", "processing.p50", 0, 0.03),
		larger("largest", source, "communication is the largest part", "communication.p50", nil, than("queueing.p50", nil)),
		larger("second", source, "queueing is more than processing", "queueing.p50", nil, than("processing.p50", nil)),
	}
	return d
}

// fullState is a paper's LM, whose answers carry the state of all its workers (sections
// IV-B6, VI-C and VI-D).
func fullState(d study.Document) study.Document {
	federatekind.Of(d.Base).State = federatekind.FullState
	return d
}

// changedState is ours.
var changedState = Variant{What: "answers of an LM that carry the state of the workers that have changed, instead of all its workers", patch: at{"federate": at{"state": federatekind.ChangedState}}}

func moreWorkers(full bool) study.Document {
	const source = "section VI-C, on figure 8"
	d := fullState(alibaba(full, 10_000, 0.000005, nil, factor("workers", 1000, 10_000, 25_000, 50_000)))
	d.Criteria = []study.Criterion{
		trend("grows", source, "the allocation time grows with the number of workers", "allocation.mean", nil, "workers", false),
		// A twentieth is what is taken for growth; it also decides where the time is flat.
		{ID: "more", Source: source, Says: "50,000 workers take longer than 1,000", Test: study.Test{
			Kind: study.Ratio, Metric: "allocation.mean", At: at{"workers": 50_000}, To: new(than("", at{"workers": 1000})), Low: new(1.05),
		}},
	}
	return d
}

func moreMasters(full bool) study.Document {
	const source = "section VI-D, on figure 9"
	d := fullState(alibaba(full, 30_000, 0.000005, nil, factor("gms", 5, 10, 20), factor("lms", 5, 10, 20)))
	slower := func(id, says string, slow, fast at) study.Criterion {
		return larger(id, source, says, "allocation.mean", slow, than("", fast))
	}
	slightly := func(c study.Criterion) study.Criterion {
		c.Test.Least = new(0.01) // the text says that it is slight
		return c
	}
	d.Criteria = []study.Criterion{
		slower("more-gms", "ten GMs are faster than five with ten LMs", at{"gms": 5, "lms": 10}, at{"gms": 10}),
		slower("more-lms", "ten LMs are faster than five with ten GMs", at{"gms": 10, "lms": 5}, at{"lms": 10}),
		slightly(slower("too-many-gms-10", "twenty GMs are slower than ten with ten LMs", at{"gms": 20, "lms": 10}, at{"gms": 10})),
		slightly(slower("too-many-gms-5", "ten GMs are slower than five with five LMs", at{"gms": 10, "lms": 5}, at{"gms": 5})),
	}
	return d
}

func google(full bool, shares []float64, factors ...study.Factor) study.Document {
	return masters(full, "google", nil, federatekind.Document{Workers: 500, GMs: 3, LMs: 3, Shares: shares}, factors...)
}

// The four users' shares of section VI-E.
var meghaShares = []float64{0.10, 0.25, 0.15, 0.50}

func shrinking(full bool) study.Document {
	d := google(full, meghaShares, factor("workers", 200, 500, 1500))
	d.Criteria = []study.Criterion{
		trend("longer", "section VI-E, on figure 10", "the allocation time grows as the cluster shrinks", "allocation.mean", nil, "workers", true),
	}
	return d
}

func shrinkingCounts(full bool) study.Document {
	d := google(full, meghaShares, factor("workers", 200, 500, 1500))
	d.Metrics = []string{"preemptions", "preemptionAttempts", "repartitions"}
	for _, metric := range d.Metrics {
		d.Criteria = append(d.Criteria, trend(metric, "section VI-E, on figure 11", metric+" grow as the cluster shrinks", metric, nil, "workers", true))
	}
	return d
}

func interference(full bool) study.Document {
	d := google(full, nil, factor("interference", 0, 1, 3))
	d.Criteria = []study.Criterion{
		trend("longer", "section VI-F, on figure 12", "the allocation time grows with the interference", "allocation.mean", nil, "interference", false),
	}
	return d
}
