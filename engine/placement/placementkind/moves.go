package placementkind

import (
	"fmt"
	"math"

	"berth/engine/graph"
	"berth/engine/input/format"
	"berth/engine/scenario"
	"berth/engine/show"
)

// Thing is the word for the objects that move; see [scenario.Compare].
func (r *Report) Thing() string { return "job" }

// Moves lists the jobs on another cluster than before, for each strategy with the first seed of
// both results.
func (r *Report) Moves(before scenario.ReportBody) []scenario.Move {
	old, ok := before.(*Report)
	if !ok {
		return nil
	}
	var moves []scenario.Move
	for i := range r.Strategies {
		s := &r.Strategies[i]
		for k := range old.Strategies {
			if old.Strategies[k].Strategy == s.Strategy {
				moves = append(moves, s.MovesFrom(&old.Strategies[k])...)
				break
			}
		}
	}
	return moves
}

// MovesFrom lists the jobs that are on another cluster than in another report, for deployments in
// both.
func (s *StrategyReport) MovesFrom(old *StrategyReport) []scenario.Move {
	var moves []scenario.Move
	for i := range s.Deployments {
		d, o := &s.Deployments[i], s.counterpart(i, old)
		if o == nil {
			continue
		}
		from := map[string]string{}
		for _, a := range o.Placement {
			from[a.Job] = a.Cluster
		}
		add := func(job, from, to string) {
			if from != to {
				moves = append(moves, scenario.Move{Subject: s.Strategy, Group: d.Name, Thing: job, From: from, To: to})
			}
		}
		for _, a := range d.Placement {
			add(a.Job, from[a.Job], a.Cluster)
			delete(from, a.Job)
		}
		for _, a := range o.Placement {
			if _, left := from[a.Job]; left {
				add(a.Job, a.Cluster, "")
			}
		}
	}
	return moves
}

// counterpart returns the deployment in another report with the name of deployment i. If both
// reports have only one deployment, it returns that one.
func (s *StrategyReport) counterpart(i int, old *StrategyReport) *DeploymentReport {
	for k := range old.Deployments {
		k = (i + k) % len(old.Deployments) // prefers the same index, because names may repeat
		if d := &old.Deployments[k]; d.Name == s.Deployments[i].Name || len(s.Deployments) == 1 && len(old.Deployments) == 1 {
			return d
		}
	}
	return nil
}

// TextChanges lists the figures that differ between two graphs: "price of eu 0.4 → 0.9". It returns
// false if a text cannot be read.
func (d *Document) TextChanges(slot string, before, after *scenario.Source) ([]string, bool) {
	o := d.HowRead().options()
	o.Strict, o.Budget = false, scenario.NewLoad(0)
	if slot == FederationSlot {
		a, found := format.ReadFederation([]format.File{{Name: before.Name, Text: before.Text}}, o)
		b, also := format.ReadFederation([]format.File{{Name: after.Name, Text: after.Text}}, o)
		if found.Err() != nil || also.Err() != nil {
			return nil, false
		}
		lines := elementChanges("cluster", byID(a.Clusters()), byID(b.Clusters()))
		return append(lines, elementChanges("link", ends(a.Links(), a.Clusters(), a.Ends), ends(b.Links(), b.Clusters(), b.Ends))...), true
	}
	a, found := format.ReadDeployments(before.Name, []byte(before.Text), o)
	b, also := format.ReadDeployments(after.Name, []byte(after.Text), o)
	if found.Err() != nil || also.Err() != nil || len(a) != len(b) {
		return nil, false
	}
	var lines []string
	for i := range a {
		x, y := a[i], b[i]
		lines = append(lines, elementChanges("job", byID(x.Jobs()), byID(y.Jobs()))...)
		lines = append(lines, elementChanges("dependency", ends(x.Dependencies(), x.Jobs(), x.Ends), ends(y.Dependencies(), y.Jobs(), y.Ends))...)
	}
	return lines, true
}

// elements are the elements of one kind, with a function that names them.
type elements struct {
	*graph.Elements
	name func(i int) string
}

func byID(all *graph.Elements) elements { return elements{all, all.ID} }

// ends names links and dependencies by the elements they join.
func ends(all, nodes *graph.Elements, of func(int) (int, int)) elements {
	return elements{all, func(i int) string {
		a, b := of(i)
		x, y := nodes.ID(a), nodes.ID(b)
		return min(x, y) + " – " + max(x, y)
	}}
}

func elementChanges(kind string, before, after elements) (lines []string) {
	was, stays := map[string]int{}, map[string]bool{}
	for j := range before.Len() {
		was[before.name(j)] = j
	}
	for i := range after.Len() {
		name := after.name(i)
		stays[name] = true
		j, known := was[name]
		if !known {
			lines = append(lines, "new "+kind+" "+name)
			continue
		}
		for _, t := range graph.Labels(after.Kind()) {
			lines = append(lines, labelChanges(t, name, before.Values(t, j), after.Values(t, i))...)
		}
	}
	for j := range before.Len() {
		if name := before.name(j); !stays[name] {
			lines = append(lines, kind+" "+name+" is gone")
		}
	}
	return lines
}

func labelChanges(t *graph.LabelType, name string, before, after []float64) []string {
	var lines []string
	for f, field := range t.Fields {
		x, y := "none", "none"
		if before != nil && !math.IsNaN(before[f]) {
			x = show.Number(before[f])
		}
		if after != nil && !math.IsNaN(after[f]) {
			y = show.Number(after[f])
		}
		if x == y {
			continue
		}
		what := t.Name
		switch {
		case field.Price:
			what = "price"
		case len(t.Fields) > 1 && field.Name != "value":
			what += " " + field.Name
		}
		lines = append(lines, fmt.Sprintf("%s of %s %s → %s", what, name, x, y))
	}
	return lines
}
