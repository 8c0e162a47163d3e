package gallery

import (
	"slices"

	"berth/engine/experiment"
	"berth/engine/scenario"
)

// Entry is one figure of a paper, or some that belong together.
type Entry struct {
	ID     string // "thesis-6.3"
	Paper  string // one of Papers
	Figure string // "6.3"
	Title  string
	Shows  string // what the paper shows, in words of ours
	Setup  string // what is not as in the paper
	// Generated says that the paper's workload is not public and one of a generator
	// stands in for it: the verdict is direction at best.
	Generated bool

	document func(full bool) experiment.Document
}

// Paper is a source.
type Paper struct{ ID, Title string }

// Papers lists the sources.
func Papers() []Paper {
	return []Paper{
		{"thesis", "M. Lavacca, Scheduling Jobs on Federation of Kubernetes Clusters, MSc thesis, Politecnico di Torino, 2020"},
		{"qos", "G. Farias da Silva et al., QoS-driven scheduling in the cloud, Journal of Internet Services and Applications 11:9, 2020"},
		{"phd", "G. Farias da Silva, Escalonamento Orientado por Qualidade de Serviço em Infraestruturas de Computação na Nuvem, PhD thesis, UFCG, 2020"},
		{"megha", "M. Thiyyakat et al., Megha: Decentralized Global Fair Scheduling for Federated Clusters"},
	}
}

// List returns all entries.
func List() []Entry {
	return slices.Concat(thesisEntries(), qosEntries(), phdEntries(), meghaEntries())
}

// Lookup returns the entry with an id.
func Lookup(id string) (Entry, bool) {
	all := List()
	i := slices.IndexFunc(all, func(e Entry) bool { return e.ID == id })
	if i < 0 {
		return Entry{}, false
	}
	return all[i], true
}

// Scenario returns the experiment of an entry.
func (e *Entry) Scenario(full bool) scenario.Scenario {
	return experiment.New(e.Title, e.document(full))
}

// Verdict is that of a report on the experiment of the entry.
func (e *Entry) Verdict(r *experiment.Report) experiment.Verdict {
	switch {
	case r.Verdict == "":
		return experiment.Undecided
	case r.Verdict == experiment.Agrees && e.Generated:
		return experiment.Direction
	}
	return r.Verdict
}

// size returns one of two.
func size[T any](full bool, reduced, complete T) T {
	if full {
		return complete
	}
	return reduced
}

// The criteria below are short for their tests.

type at = map[string]any

func within(id, source, says, metric string, where at, value, absolute float64) experiment.Criterion {
	return experiment.Criterion{ID: id, Source: source, Says: says, Test: experiment.Test{
		Kind: experiment.Within, Metric: metric, At: where, Value: &value, Absolute: &absolute,
	}}
}

func atLeast(id, source, says, metric string, where at, low float64) experiment.Criterion {
	return experiment.Criterion{ID: id, Source: source, Says: says, Test: experiment.Test{
		Kind: experiment.Between, Metric: metric, At: where, Low: &low,
	}}
}

func atMost(id, source, says, metric string, where at, high float64) experiment.Criterion {
	return experiment.Criterion{ID: id, Source: source, Says: says, Test: experiment.Test{
		Kind: experiment.Between, Metric: metric, At: where, High: &high,
	}}
}

func ratio(id, source, says, metric string, where at, to experiment.Figure, value, absolute float64) experiment.Criterion {
	return experiment.Criterion{ID: id, Source: source, Says: says, Test: experiment.Test{
		Kind: experiment.Ratio, Metric: metric, At: where, To: &to, Value: &value, Absolute: &absolute,
	}}
}

// larger is an order: the figure at where is larger than to.
func larger(id, source, says, metric string, where at, to experiment.Figure) experiment.Criterion {
	return experiment.Criterion{ID: id, Source: source, Says: says, Test: experiment.Test{
		Kind: experiment.Order, Metric: metric, At: where, To: &to,
	}}
}

func trend(id, source, says, metric string, where at, along string, falling bool) experiment.Criterion {
	return experiment.Criterion{ID: id, Source: source, Says: says, Test: experiment.Test{
		Kind: experiment.Monotone, Metric: metric, At: where, Along: along, Falling: falling,
	}}
}

// than is another cell, metric or both.
func than(metric string, where at) experiment.Figure {
	return experiment.Figure{Metric: metric, At: where}
}
