package placement

import (
	"fmt"
	"math"
	"strings"

	"berth/engine/graph"
)

// unfit returns the first demand of a job that a cluster itself does not meet, -1 for
// none, and the constraint of it that is broken: nil where it lacks the resource, or room.
func (m *Attempt) unfit(job int32, j int) (demand int, broken *comparing) {
	for r := range m.problem.demands {
		d := &m.problem.demands[r]
		if !d.carries[job] {
			continue
		}
		if broken = d.broken(job, j); broken != nil || d.lacking(j) || d.on(job, j) > m.free[r][j] {
			return r, broken
		}
	}
	return -1, nil
}

// unreachable returns the first of the neighbours before a job, -1 for none, whose
// cluster a cluster has no link to, or one that breaks a constraint of the dependency
// (algorithm 5): its number, -1 where there is no link.
func (m *Attempt) unreachable(job int32, j int) (neighbour, constraint int) {
	l := m.problem.capacity.links
	jobs, dependencies := m.before(int(m.depth[job]))
	for t, k := range jobs {
		at := int(m.cluster[k])
		if at == j {
			continue
		}
		if math.IsInf(l.cost(j, at), 1) {
			return t, -1
		}
		if c := l.broken(m.problem.bound(int(dependencies[t])), j, at); c >= 0 {
			return t, c
		}
	}
	return -1, -1
}

// fits checks all that a row of cells and its room tell of a cluster.
func (m *Attempt) fits(job int32, j int) bool {
	if demand, _ := m.unfit(job, j); demand >= 0 {
		return false
	}
	neighbour, _ := m.unreachable(job, j)
	return neighbour < 0
}

// refusal says why cluster j is not in PA of the job, if it is not.
func (m *Attempt) refusal(job int32, j int) (Refusal, bool) {
	kind, text := m.refusedByCluster(job, j)
	if kind == "" {
		kind, text = m.refusedByLinks(job, j)
	}
	if kind == "" {
		if text, _ = m.problem.RefusedByNodes(m.cluster, job, j); text != "" {
			kind = "nodes"
		}
	}
	clusters := m.problem.capacity.federation.Clusters()
	return Refusal{Cluster: clusters.ID(j), Name: clusters.Name(j), Kind: kind, Text: text}, kind != ""
}

// noRoom is the kind of a refusal that other jobs may be the reason for.
const noRoom = "no room"

// refusedByCluster words [Attempt.unfit]: NAM is 0 there.
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
	return noRoom, fmt.Sprintf("requests %s %s, %s left", figure(units(d.on(job, j))), d.supply.Name, figure(units(m.free[r][j])))
}

// refusedByLinks words [Attempt.unreachable], and checks what is left of links.
func (m *Attempt) refusedByLinks(job int32, j int) (kind, text string) {
	depth := int(m.depth[job])
	t, constraint := m.unreachable(job, j)
	if t < 0 {
		if !m.links.take(m, depth, j) {
			return "bandwidth", "other dependencies have used up the bandwidth of its links"
		}
		m.links.giveBack(depth)
		return "", ""
	}
	jobs, dependencies := m.before(depth)
	at, other := int(m.cluster[jobs[t]]), m.problem.deployment.Jobs().ID(int(jobs[t]))
	if constraint < 0 {
		return "no link", "no link to the cluster of job " + other
	}
	k, found := &m.problem.capacity.links.constraints[constraint], m.problem.capacity.links.figure(constraint, j, at)
	if math.IsNaN(found) {
		kind, text = "no "+k.supply.Name, "link without "+k.supply.Name
	} else {
		word := map[graph.Operator]string{graph.AtMost: "under", graph.AtLeast: "over"}[k.comparison.Op]
		bound := m.problem.bound(int(dependencies[t]))[constraint]
		kind, text = k.comparison.Reason, fmt.Sprintf("%s %s %s %s", k.comparison.Reason, k.amount(found), word, k.amount(bound))
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
