package placement

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"berth/engine/graph"
	"berth/engine/show"
)

// Reason says why a search has no placement or no proof. Strategies of other packages may define
// their own reasons.
type Reason interface{ String() string }

// Why returns the reason in words, "" for a placement.
func (s *Solution) Why() string {
	if s.Reason == nil {
		return ""
	}
	return s.Reason.String()
}

// sentence is a Reason that is already a text.
type sentence string

func (w sentence) String() string { return string(w) }

// OfNodes is the answer of the nodes about one unplaced job on one cluster.
type OfNodes string

func (o OfNodes) String() string { return string(o) }

// Stopped is the reason of a search whose context was cancelled.
type Stopped struct{ Cause error }

func (s Stopped) String() string { return s.Cause.Error() }

// The ways in which a search ends without a placement or a proof.
const (
	outOfExpansions = "no placement found in the first %d expansions; one may exist"
	nodesUnproved   = outOfExpansions + ", because not every packing on nodes was tried"
	outOfBudget     = "no placement found within the search budget; one may exist"
	outOfSteps      = "no placement found in %d expansions and %d steps; one may exist"
	notOptimal      = "not proved optimal in %d steps"
	nothingFound    = "found neither a placement nor a proof that none exists in %d steps"
	jobRefused      = "no cluster can take one of the jobs"
	allTried        = "no placement exists: all possibilities were tried"
	allRuledOut     = "no placement exists: the search ruled out all"
	unfinished      = "%s with %d of %d jobs placed"
	stuck           = "%s, and this strategy does not backtrack; a placement may exist"
	refusedClusters = "%s; the policy refused clusters: %s"
)

func because(format string, figures ...any) Reason { return sentence(fmt.Sprintf(format, figures...)) }

// shortage names the resource of which the jobs request more than all clusters have left; nil if
// there is none.
func (p *Problem) shortage() Reason {
	r, wanted, left := p.short()
	if r < 0 {
		return nil
	}
	requested, free, gap := figure(units(wanted)), figure(units(left)), ""
	if requested == free { // both sums are rounded to the same text, so show the difference
		gap = fmt.Sprintf(", %.3g too little (amounts add up exactly up to four decimals)", units(wanted-left))
	}
	return because("the jobs request %s %s in all, the clusters have %s left%s", requested, p.demands[r].supply.Name, free, gap)
}

// mostNodes limits the clusters for which a dead end quotes the answer of the nodes.
const mostNodes = 5

// deadEnd says why the current job cannot be placed: a resource that is short for all jobs
// together, or the number of clusters that refuse the job for each kind of reason.
func (m *Attempt) deadEnd() Reason {
	p := m.problem
	if shortage := p.shortage(); shortage != nil {
		return shortage
	}
	var kinds, nodes []string
	clusters := map[string]int{}
	for j := range p.capacity.federation.Clusters().Len() {
		r, refused := m.Refusal(j)
		if !refused {
			continue
		}
		if clusters[r.Kind]++; clusters[r.Kind] == 1 {
			kinds = append(kinds, r.Kind)
		}
		if len(nodes) == mostNodes {
			continue
		}
		if why := m.nodesSay(m.order[m.step], j); why != "" {
			nodes = append(nodes, "; "+show.Text(r.Name)+": "+why)
		}
	}
	for i, kind := range kinds {
		kinds[i] = fmt.Sprintf("%s %d", kind, clusters[kind])
	}
	job := p.deployment.Jobs().ID(int(m.order[m.step]))
	return because("no cluster can take job %s after the %d placed before it (%s)%s", show.Text(job), m.step, strings.Join(kinds, ", "), strings.Join(nodes, ""))
}

// noRoom is the kind of a refusal that other jobs may have caused.
const noRoom = "no room"

// refusedByCluster describes [Attempt.unfit]. In these cells NAM is 0.
func (m *Attempt) refusedByCluster(job int32, j int) (kind, text string) {
	r, b := m.unfit(job, j)
	if r < 0 {
		return "", ""
	}
	d := &m.problem.demands[r]
	switch {
	case b != nil && b.comparison.Reason == "":
		return "no " + d.supply.Name, "has no " + d.supply.Name
	case b != nil:
		c, sign := &b.comparison, signOf(b.comparison.Op)
		return c.Reason, fmt.Sprintf("%s %s of %s %s %s %s", c.Demand, figure(sign*b.of(job)), d.supply.Name,
			map[graph.Operator]string{graph.AtMost: "is over", graph.AtLeast: "is under"}[c.Op], c.Supply, figure(sign*b.cluster[j]))
	}
	return noRoom, fmt.Sprintf("requests %s %s, %s left", figure(units(m.problem.form.Amount(r, int(job), j))), d.supply.Name, figure(units(m.free[r][j])))
}

// refusedByLinks describes [Attempt.unreachable] and a failed [Attempt.charge].
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

// route names the clusters on the route between two; "" if one link joins them.
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
				if b := p.barrier(-1, int32(other.Index), m.Index); b != nil {
					kind, text = ruleKind, show.Text(b.rule.String())
				}
				if kind != "" && kind != noRoom {
					return fmt.Sprintf("%s never takes %s: %s", clusters.Name(m.Index), jobs.Name(other.Index), text)
				}
			}
		}
		return clusters.Name(m.Index) + " never takes some of the jobs"
	case CoreRule:
		return "the rule " + show.Text(p.words[m.Index])
	}
	a, b := p.deployment.Ends(m.Index)
	return fmt.Sprintf("%s and %s need %s", jobs.Name(a), jobs.Name(b), p.needs(m.Index, func(k *linkConstraint) string {
		return k.demand.Name + map[graph.Operator]string{graph.AtLeast: " at most ", graph.AtMost: " at least "}[k.comparison.Op]
	}))
}

// needs lists the bounds of a dependency, such as "20 ms", each after the result of word.
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

// amount formats a figure of a link with its unit.
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

// list joins texts as in "a, b and c".
func list(all []string) string {
	if len(all) < 2 {
		return strings.Join(all, "")
	}
	return strings.Join(all[:len(all)-1], ", ") + " and " + all[len(all)-1]
}

// figure formats a number rounded to six decimals, which hides the noise of the last digits.
func figure(v float64) string { return strconv.FormatFloat(math.Round(v*1e6)/1e6, 'f', -1, 64) }
