package placement

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"berth/engine/graph"
	"berth/engine/show"
)

// Reason says why a search has no placement or no proof. Strategies of other packages may have
// reasons of their own.
type Reason interface{ String() string }

// Why returns the reason in words, "" for a placement.
func (s *Solution) Why() string {
	if s.Reason == nil {
		return ""
	}
	return s.Reason.String()
}

func (s *Shortage) String() string {
	wanted, left, gap := figure(s.Wanted), figure(s.Left), ""
	if wanted == left { // both may be right, and the floats that stand for them not
		gap = fmt.Sprintf(", %.3g too little (amounts add up exactly up to four decimals)", s.Short)
	}
	return fmt.Sprintf("the jobs request %s %s in all, the clusters have %s left%s", wanted, s.Supply, left, gap)
}

func (d *DeadEnd) String() string {
	kinds, nodes := make([]string, len(d.Refusals)), ""
	for i, r := range d.Refusals {
		kinds[i] = fmt.Sprintf("%s %d", r.Kind, r.Clusters)
	}
	for _, n := range d.Nodes {
		nodes += "; " + show.Text(n.Cluster) + ": " + n.Why
	}
	return fmt.Sprintf("no cluster can take job %s after the %d placed before it (%s)%s", show.Text(d.Job), d.Placed, strings.Join(kinds, ", "), nodes)
}

func (o OfNodes) String() string { return string(o) }

func (s Stuck) String() string {
	return s.At.String() + ", and this strategy does not backtrack; a placement may exist"
}

func (s Stopped) String() string { return s.Cause.Error() }

func (u Unfinished) String() string {
	return fmt.Sprintf("%s with %d of %d jobs placed", u.Status, u.Placed, u.Jobs)
}

func (e Ended) String() string {
	switch e.How {
	case OutOfExpansions:
		return fmt.Sprintf("no placement found in the first %d expansions; one may exist", e.Expansions)
	case NodesUnproved:
		return Ended{How: OutOfExpansions, Expansions: e.Expansions}.String() + ", because not every packing on nodes was tried"
	case OutOfBudget:
		return "no placement found within the search budget; one may exist"
	case OutOfSteps:
		return fmt.Sprintf("no placement found in %d expansions and %d steps; one may exist", e.Expansions, e.Steps)
	case NotOptimal:
		return fmt.Sprintf("not proved optimal in %d steps", e.Steps)
	case NothingFound:
		return fmt.Sprintf("found neither a placement nor a proof that none exists in %d steps", e.Steps)
	case JobRefused:
		return "no cluster can take one of the jobs"
	case AllTried:
		return "no placement exists: all possibilities were tried"
	}
	return "no placement exists: the search ruled out all"
}

// noRoom is the kind of a refusal that other jobs may be the reason for.
const noRoom = "no room"

// refusedByCluster puts [Attempt.unfit] into words: NAM is 0 there.
func (m *Attempt) refusedByCluster(job int32, j int) (kind, text string) {
	r, c := m.unfit(job, j)
	if r < 0 {
		return "", ""
	}
	d := &m.problem.demands[r]
	switch {
	case d.lacking(j):
		return "no " + d.supply.Name, "has no " + d.supply.Name
	case c != nil:
		return c.Reason, fmt.Sprintf("%s %s of %s %s %s %s", c.Demand, figure(c.job[job]), d.supply.Name,
			map[graph.Operator]string{graph.AtMost: "is over", graph.AtLeast: "is under"}[c.Op], c.Supply, figure(c.cluster[j]))
	}
	return noRoom, fmt.Sprintf("requests %s %s, %s left", figure(units(m.problem.form.Amount(r, int(job), j))), d.supply.Name, figure(units(m.free[r][j])))
}

// refusedByLinks puts [Attempt.unreachable] and [Attempt.usedUp] into words.
func (m *Attempt) refusedByLinks(job int32, j int) (kind, text string) {
	t, limit := m.unreachable(job, j)
	if t < 0 {
		if !m.charge(j) {
			return "bandwidth", "other dependencies have used up the bandwidth of its links"
		}
		m.undo()
		return "", ""
	}
	tie := m.before(m.step)[t]
	at, other := int(m.cluster[tie.job]), m.problem.deployment.Jobs().ID(int(tie.job))
	if limit < 0 {
		return "no link", "no link to the cluster of job " + other
	}
	k := m.problem.limited[limit]
	if found := k.between(j, at); math.IsInf(found, 1) {
		kind, text = "no "+k.supply.Name, "link without "+k.supply.Name
	} else {
		word := map[graph.Operator]string{graph.AtMost: "under", graph.AtLeast: "over"}[k.comparison.Op]
		bound := k.sign * m.problem.form.Limits[limit].Bound[tie.dependency]
		kind, text = k.comparison.Reason, fmt.Sprintf("%s %s %s %s", k.comparison.Reason, k.amount(k.sign*found), word, k.amount(bound))
	}
	return kind, text + " to job " + other + m.problem.capacity.route(j, at)
}

// route names the clusters of the route between two, if it is not one link.
func (c *Capacity) route(a, b int) string {
	f := c.federation
	legs, _ := f.Path(nil, a, b)
	if !f.Routed() || len(legs) < 2 {
		return ""
	}
	names := []string{f.Clusters().Name(a)}
	for _, leg := range legs {
		x, y := f.Ends(leg)
		a = x + y - a
		names = append(names, f.Clusters().Name(a))
	}
	return " by way of " + strings.Join(names, ", ")
}

// inWords describes a member of a conflict set.
func (p *Problem) inWords(m CoreMember, core []CoreMember) string {
	jobs, clusters := p.deployment.Jobs(), p.capacity.federation.Clusters()
	switch m.Kind {
	case CoreJob:
		var wants []string
		for r := range p.demands {
			if d := &p.demands[r]; d.carries[m.Index] {
				wants = append(wants, p.amountOf(d, units(p.least(r, m.Index))))
			}
		}
		if wants == nil {
			wants = []string{"nothing"}
		}
		return jobs.Name(m.Index) + " requests " + list(wants)
	case CoreCluster:
		var has []string
		for r := range p.demands {
			has = append(has, p.amountOf(&p.demands[r], units(p.form.Resources[r].Capacity[m.Index])))
		}
		return clusters.Name(m.Index) + " has " + list(has) + " left"
	case CoreRange:
		attempt := p.NewAttempt(heuristic{}.order(p))
		for _, other := range core {
			if other.Kind == CoreJob {
				kind, text := attempt.refusedByCluster(int32(other.Index), m.Index)
				if f := p.rules.barred(int32(other.Index), m.Index); f != nil {
					kind, text = ruleKind, show.Text(f.String())
				}
				if kind != "" && kind != noRoom {
					return fmt.Sprintf("%s never takes %s: %s", clusters.Name(m.Index), jobs.Name(other.Index), text)
				}
			}
		}
		return clusters.Name(m.Index) + " never takes some of the jobs"
	case CoreRule:
		return "the rule " + show.Text(p.rules.words[m.Index])
	}
	a, b := p.deployment.Ends(m.Index)
	return fmt.Sprintf("%s and %s need %s", jobs.Name(a), jobs.Name(b), p.needs(m.Index, func(k *linkConstraint) string {
		return k.demand.Name + map[graph.Operator]string{graph.AtLeast: " at most ", graph.AtMost: " at least "}[k.comparison.Op]
	}))
}

// needs lists the bounds of a dependency, such as "20 ms", with a word before each.
func (p *Problem) needs(dependency int, word func(*linkConstraint) string) string {
	var all []string
	for i, k := range p.limited {
		if bound := p.form.Limits[i].Bound[dependency]; !math.IsInf(bound, 1) {
			all = append(all, word(k)+k.amount(k.sign*bound))
		}
	}
	if all == nil {
		return "a link"
	}
	return list(all)
}

// amount writes a figure of a link with its unit.
func (k *linkConstraint) amount(parts float64) string {
	return figure(units(parts)) + " " + k.supply.Fields[k.supplyField].Unit
}

func (p *Problem) amountOf(d *demand, amount float64) string {
	if d.request >= 0 {
		if unit := d.demand.Fields[d.request].Unit; unit != "" && unit != "units" {
			return figure(amount) + " " + unit + " of " + d.supply.Name
		}
	}
	return figure(amount) + " " + d.supply.Name
}

// list writes a, b and c.
func list(all []string) string {
	if len(all) < 2 {
		return strings.Join(all, "")
	}
	return strings.Join(all[:len(all)-1], ", ") + " and " + all[len(all)-1]
}

// figure writes a figure for people, without the noise of the last digits.
func figure(v float64) string { return strconv.FormatFloat(math.Round(v*1e6)/1e6, 'f', -1, 64) }
