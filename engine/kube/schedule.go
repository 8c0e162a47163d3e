package kube

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"berth/engine/kube/score"
)

// Decision is the result of scheduling a pod.
type Decision struct {
	Pod     *Pod
	Node    int    // -1: the pod stays pending
	Words   string // message of the scheduler if the pod stays pending, otherwise ""
	Victims []*Pod // pods that it preempts
	Ties    int    // number of equally good nodes, including its own
	Score   int64
}

// Schedule places a pod on the node that kube-scheduler would choose, if any node
// accepts it.
func (s *ClusterState) Schedule(p *Pod) Decision {
	d := s.choose(p)
	if d.Node >= 0 {
		s.Put(p, d.Node)
	}
	return d
}

// choose finds the node for a pod without placing it.
func (s *ClusterState) choose(p *Pod) Decision {
	p.class = s.class(p.Shape)
	p.node = -1
	c := p.class
	if len(p.Gates) > 0 {
		return Decision{Pod: p, Node: -1, Words: fmt.Sprintf("Scheduling is blocked due to non-empty scheduling gates %s.", strings.Join(p.Gates, ", "))}
	}
	if p.Beyond != "" {
		return Decision{Pod: p, Node: -1, Words: p.Beyond}
	}
	feasible := s.feasible(p)
	if len(feasible) == 0 {
		return Decision{Pod: p, Node: -1, Words: s.words(p)}
	}
	if i := slices.Index(feasible, s.promisedTo(p)); i >= 0 {
		feasible = feasible[i : i+1]
	}
	d := Decision{Pod: p}
	d.Node, d.Score, d.Ties = s.best(c, feasible)
	return d
}

// feasible returns the nodes that accept a pod now. The slice is valid until the next call.
func (s *ClusterState) feasible(p *Pod) []int32 {
	c := s.class(p.Shape)
	a := s.ask(c)
	s.refresh(c)
	s.found = s.found[:0]
	for n := range s.Nodes {
		if a.fits[n] && a.ports.at(n) == 0 && s.crowd(c, n) == "" && (len(s.promised) == 0 || s.reasons(p, n) == nil) {
			s.found = append(s.found, int32(n))
		}
	}
	return s.found
}

// refresh updates the fit and the score of each node that has changed since the last
// call.
func (s *ClusterState) refresh(c *class) {
	a := c.asked
	if a.upTo < 0 || len(s.changed)-a.upTo > len(s.Nodes) {
		for n := range s.Nodes {
			s.look(c, n)
		}
	} else {
		for _, n := range s.changed[a.upTo:] {
			s.look(c, int(n))
		}
	}
	a.upTo = len(s.changed)
}

// look updates the fit and the score of a node for a class.
func (s *ClusterState) look(c *class, n int) {
	a := c.asked
	a.fits[n] = c.barred == "" && a.fixed[n].why == "" && a.fixed[n].volumes == "" && s.fit(c, n)
	if !a.fits[n] {
		return
	}
	w := &s.profile.Weights
	a.score[n] = w.Fit*s.profile.Fit.Of(s.uses(c, n)) + w.Image*a.fixed[n].image
	if w.Balanced > 0 && c.need[s.number[CPU]]+c.need[s.number[Memory]] > 0 {
		a.score[n] += w.Balanced * score.Balanced(s.use(c, n, CPU), s.use(c, n, Memory))
	}
}

// uses returns the resources of a node for the score of NodeResourcesFit. For pods
// without requests of CPU or memory, it counts the amounts that the scheduler
// assumes.
func (s *ClusterState) uses(c *class, n int) []score.Use {
	uses := c.asked.uses[:0]
	for _, r := range s.profile.Resources {
		u := s.use(c, n, r.Name)
		switch {
		case r.Name == CPU:
			u.Requested = s.assumed[n][0] + c.scored[0]
		case r.Name == Memory:
			u.Requested = s.assumed[n][1] + c.scored[1]
		case c.shape.Requests[r.Name] == 0:
			u = score.Use{}
		}
		u.Weight = r.Weight
		uses = append(uses, u)
	}
	c.asked.uses = uses
	return uses
}

func (s *ClusterState) use(c *class, n int, resource string) score.Use {
	r, known := s.number[resource]
	if !known {
		return score.Use{}
	}
	return score.Use{Requested: s.used[n][r] + c.need[r], Allocatable: s.total[n][r]}
}

// fit reports whether a node has enough free resources for a pod.
func (s *ClusterState) fit(c *class, n int) bool {
	if len(c.lacking) > 0 {
		return false
	}
	for r, need := range c.need {
		if need > 0 && need > s.free(n, r) {
			return false
		}
	}
	return true
}

// crowd returns the scheduler's message if other pods or volumes rule out a node for
// a class, by the first such filter; otherwise "".
func (s *ClusterState) crowd(c *class, n int) string {
	if why := s.lacksVolume(c, n); why != "" {
		return why
	}
	return c.asked.misplaced(n, false)
}

// lacksVolume is crowd for the filters about volumes.
func (s *ClusterState) lacksVolume(c *class, n int) string {
	a := c.asked
	switch why := a.fixed[n].volumes; {
	case slices.ContainsFunc(a.tied, func(x tied) bool { return x.onePod && x.sum > 0 }):
		return inUse
	case len(c.attaches) > 0 && s.attachesTooMany(c, n):
		return tooManyVolumes
	case why != "":
		return why
	case c.binds && s.volumes.Room(c.shape, &s.Nodes[n], 1) == 0:
		return notFound
	}
	return ""
}

// elsewhere returns a message if a volume of the class is in use on another node. kube-scheduler
// does not check this: it may choose a second node, where the pod then waits for the volume
// forever.
func (a *asked) elsewhere(n int) string {
	for _, x := range a.tied {
		if x.sum > 0 && x.at(n) == 0 {
			return attachedTo
		}
	}
	return ""
}

// misplaced is crowd for the filters about other pods. If loose is true, it only checks that the
// node belongs to a domain of each spread and affinity term.
func (a *asked) misplaced(n int, loose bool) string {
	if why := a.skewed(n, loose); why != "" {
		return why
	}
	if a.alone(n, loose) {
		return lonely
	}
	return a.repelled(n)
}

// skewed is misplaced for topology spread.
func (a *asked) skewed(n int, loose bool) string {
	for i := range a.spread {
		if why := a.spread[i].rejects(n, loose); why != "" {
			return why
		}
	}
	return ""
}

// rejects is misplaced for one constraint.
func (x *spread) rejects(n int, loose bool) string {
	switch {
	case x.Domain[n] < 0:
		return missingDomain
	case !loose && x.at(n)+x.self-x.lowest() > int64(x.MaxSkew):
		return unevenSpread
	}
	return ""
}

// repelled is misplaced for anti-affinity.
func (a *asked) repelled(n int) string {
	switch {
	case anyAt(a.apart, n):
		return tooNear
	case anyAt(a.unwelcome, n):
		return unwelcome
	}
	return ""
}

// anyAt reports whether one of the tallies counts pods in the domain of a node.
func anyAt(all []*tally, n int) bool {
	for _, t := range all {
		if t.at(n) > 0 {
			return true
		}
	}
	return false
}

// attachesTooMany reports whether a node cannot attach the volumes of one more pod of a class.
func (s *ClusterState) attachesTooMany(c *class, n int) bool {
	limits := s.objects.Drivers[s.Nodes[n].Name]
	for _, v := range c.attaches {
		most, limited := limits[v.Driver]
		there := 0
		for other, pods := range s.attached[n] {
			if other.Driver == v.Driver && pods > 0 {
				there++
			}
		}
		fresh := number(c.attaches, func(o attached) bool { return o.Driver == v.Driver && s.attached[n][o] == 0 })
		if limited && fresh > 0 && there+fresh > most {
			return true
		}
	}
	return false
}

// alone reports whether the required affinity rules out a node. If no selected pod
// exists in any domain, a pod that selects itself may be the first.
func (a *asked) alone(n int, loose bool) bool {
	missing, any := false, false
	for _, t := range a.with {
		if t.Domain[n] < 0 {
			return true
		}
		missing = missing || t.at(n) == 0
		any = any || t.sum > 0
	}
	return !loose && missing && (any || !a.self)
}

// reasons returns all messages of the first filter that rejects a node for a pod; nil
// if the node passes.
func (s *ClusterState) reasons(p *Pod, n int) []string {
	if why := s.besidePromised(p, n); why != nil {
		return why
	}
	return s.filter(s.class(p.Shape), n)
}

// filter is reasons without the pods to which the node is promised.
func (s *ClusterState) filter(c *class, n int) []string {
	if why := s.full(c, n); why != nil {
		return why
	}
	if why := s.crowd(c, n); why != "" {
		return []string{why}
	}
	return nil
}

// full runs the filters that filter runs, except those of crowd.
func (s *ClusterState) full(c *class, n int) (short []string) {
	f := &c.asked.fixed[n]
	if why := cmp.Or(c.barred, f.why); why != "" {
		return []string{why}
	}
	if c.asked.ports.at(n) > 0 {
		return []string{noPorts}
	}
	for r, need := range c.need {
		if need > 0 && need > s.free(n, r) {
			short = append(short, Insufficient(s.resources[r]))
		}
	}
	for _, resource := range c.lacking {
		short = append(short, Insufficient(resource))
	}
	return short
}

// words returns the scheduler's message about a pod that no node accepts. If a node is promised to
// the pod, the scheduler filters that node first, even if the pod's affinity does not name it. For
// the other nodes that the affinity does not name, the message then blames NodeAffinity and the
// plug-in that rejected the promised node.
func (s *ClusterState) words(p *Pod) string {
	c := s.class(p.Shape)
	promised, unseen := int(s.promisedTo(p)), notNamed
	reasons := func(n int) []string {
		why := s.reasons(p, n)
		switch {
		case why[0] != notNamed:
			return why
		case n == promised:
			return []string{p.Shape.refused(&s.Nodes[n])}
		}
		return []string{unseen}
	}
	if promised >= 0 {
		rejects := cmp.Or(filters[reasons(promised)[0]].plugin, "NodeResourcesFit")
		plugins := []string{filters[notNamed].plugin, rejects}
		slices.Sort(plugins)
		unseen = unsatisfied + fmt.Sprint(slices.Compact(plugins))
	}
	return s.unavailable(c, reasons)
}

// resolvable reports whether the first filter that rejects a node for a pod may let the pod pass
// after a preemption.
func (s *ClusterState) resolvable(p *Pod, n int) bool {
	why := s.reasons(p, n)[0]
	if filter, known := filters[why]; known {
		return filter.resolvable
	}
	c := s.class(p.Shape)
	return c.barred == "" && c.asked.fixed[n].why == "" && len(s.exceeds(c, n)) == 0
}

// unavailable returns the scheduler's message about pods of a class, given its messages
// about each node: "0/3 nodes are available: 1 Too many pods, 2 Insufficient cpu."
func (s *ClusterState) unavailable(c *class, reasons func(n int) []string) string {
	var all []string
	if c.barred != "" {
		all = append(all, c.barred)
	}
	count := map[string]int{}
	for n := 0; n < len(s.Nodes) && all == nil; n++ {
		for _, why := range reasons(n) {
			count[why]++
		}
	}
	for why, n := range count {
		all = append(all, fmt.Sprint(n, " ", why))
	}
	slices.Sort(all)
	text := fmt.Sprintf("0/%d nodes are available", len(s.Nodes))
	if len(all) > 0 {
		text += ": " + strings.Join(all, ", ")
	}
	return text + "."
}

// best returns the first node by name with the highest score, that score, and how many nodes have
// it.
func (s *ClusterState) best(c *class, feasible []int32) (node int, most int64, ties int) {
	sums := s.scores(c, feasible)
	most = slices.Max(sums)
	for i, sum := range sums {
		if sum == most {
			if ties == 0 {
				node = int(feasible[i])
			}
			ties++
		}
	}
	return node, most, ties
}

// scores returns the total scores of the feasible nodes.
func (s *ClusterState) scores(c *class, feasible []int32) []int64 {
	a := c.asked
	s.sums = s.sums[:0]
	for _, n := range feasible {
		s.sums = append(s.sums, a.score[n])
	}
	sums := s.sums
	s.addFixed(a, feasible, sums)
	s.addSpread(a, feasible, sums)
	s.addAffinity(a, feasible, sums)
	return sums
}

// addFixed adds the scores of taints and preferred node affinity.
func (s *ClusterState) addFixed(a *asked, feasible []int32, sums []int64) {
	w := &s.profile.Weights
	var taints, wanted int64
	for _, n := range feasible {
		taints, wanted = max(taints, a.fixed[n].taints), max(wanted, a.fixed[n].wanted)
	}
	if taints == 0 && wanted == 0 {
		return // equal for all nodes
	}
	for i, n := range feasible {
		sums[i] += w.Taint*score.Normalize(a.fixed[n].taints, taints, true) + w.NodeAffinity*score.Normalize(a.fixed[n].wanted, wanted, false)
	}
}

// addSpread adds the score of the preferred spread constraints. Nodes that lack one
// of the labels get 0.
func (s *ClusterState) addSpread(a *asked, feasible []int32, sums []int64) {
	if len(a.soft) == 0 || s.profile.Weights.Spread == 0 {
		return
	}
	ignored := func(n int32) bool {
		return !a.soft[0].Lenient && slices.ContainsFunc(a.soft, func(x spread) bool { return x.Domain[n] < 0 })
	}
	a.weights = a.weights[:0]
	for i := range a.soft {
		a.weights = append(a.weights, score.SpreadWeight(a.soft[i].domains(feasible, ignored)))
	}
	lowest, highest := int64(math.MaxInt64), int64(0)
	for _, n := range feasible {
		if ignored(n) {
			a.raw[n] = -1
			continue
		}
		var sum float64
		for i := range a.soft {
			if x := &a.soft[i]; x.Domain[n] >= 0 {
				sum += score.Spread(x.at(int(n)), x.MaxSkew, a.weights[i])
			}
		}
		a.raw[n] = int64(math.Round(sum))
		lowest, highest = min(lowest, a.raw[n]), max(highest, a.raw[n])
	}
	for i, n := range feasible {
		if a.raw[n] >= 0 {
			sums[i] += s.profile.Weights.Spread * score.NormalizeSpread(a.raw[n], lowest, highest)
		}
	}
}

// domains counts the domains among the given nodes; nodes without the label form one
// more.
func (x *spread) domains(nodes []int32, ignored func(int32) bool) int {
	seen, count := make([]bool, x.Topology.Count+1), 0
	for _, n := range nodes {
		if d := x.Domain[n] + 1; !ignored(n) && !seen[d] {
			seen[d] = true
			count++
		}
	}
	return count
}

// addAffinity adds the score of preferred pod affinity.
func (s *ClusterState) addAffinity(a *asked, feasible []int32, sums []int64) {
	if len(a.likes) == 0 || s.profile.Weights.PodAffinity == 0 {
		return
	}
	lowest, highest := int64(math.MaxInt64), int64(math.MinInt64)
	for _, n := range feasible {
		a.raw[n] = 0
		for _, t := range a.likes {
			a.raw[n] += t.at(int(n))
		}
		lowest, highest = min(lowest, a.raw[n]), max(highest, a.raw[n])
	}
	for i, n := range feasible {
		sums[i] += s.profile.Weights.PodAffinity * score.NormalizeAffinity(a.raw[n], lowest, highest)
	}
}

// Best reports whether node n has the highest score among the feasible nodes of a
// pod.
func (s *ClusterState) Best(p *Pod, n int) bool {
	c := s.class(p.Shape)
	feasible := s.feasible(p)
	i := slices.Index(feasible, int32(n))
	if i < 0 {
		return false
	}
	sums := s.scores(c, feasible)
	return sums[i] == slices.Max(sums)
}
