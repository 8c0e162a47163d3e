package placement

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"berth/engine/graph"
	"berth/engine/rule"
	"berth/engine/show"
	"berth/engine/solve"
)

// readRules compiles the rules of the deployment and of the scenario into barriers, and into
// counters that limit the number of jobs in each place.
func (p *Problem) readRules() {
	for _, one := range slices.Concat(p.deployment.Rules, p.capacity.options.Rules) {
		var jobs []int32 // empty if the rule names jobs of another deployment
		for _, job := range p.deployment.Chosen(one.Jobs) {
			jobs = append(jobs, int32(job))
		}
		switch {
		case len(jobs) == 0:
		case one.Verb == rule.Only, one.Verb == rule.Never:
			p.fence(one, jobs)
		default:
			p.count(one, jobs)
		}
	}
	p.stay()
}

// fence adds the barrier of a rule: the clusters that its jobs may not use.
func (p *Problem) fence(by rule.Rule, jobs []int32) {
	clusters := p.capacity.federation.Clusters()
	b := barrier{demand: -1, rule: by, cluster: make([]float64, clusters.Len())}
	for j := range b.cluster {
		value := clusters.Attribute(attributeOf(by), j)
		allowed := value != "" // a rule that counts by an attribute needs one
		if by.Verb == rule.Only || by.Verb == rule.Never {
			allowed = slices.Contains(by.Where.Values, value) == (by.Verb == rule.Only)
		}
		if !allowed {
			b.cluster[j] = math.Inf(1)
		}
	}
	p.bar(b, jobs)
}

// attributeOf returns the cluster attribute that a rule refers to.
func attributeOf(by rule.Rule) string { return cmp.Or(by.By, by.Where.Attribute) }

func (p *Problem) count(by rule.Rule, jobs []int32) {
	clusters := p.capacity.federation.Clusters()
	c := noCounter()
	c.Jobs = jobs
	c.Class, c.Classes = classes(clusters.Len(), func(j int) (class string, counts bool) {
		value := clusters.Attribute(attributeOf(by), j)
		switch {
		case by.By == "" && (by.Verb == rule.Clusters || by.Verb == rule.Least):
			return clusters.ID(j), true
		case by.Verb == rule.Count: // all listed values form one class
			return "", value != "" && slices.Contains(by.Where.Values, value)
		}
		return value, value != ""
	})
	n := int32(by.N)
	switch by.Verb {
	case rule.Apart:
		c.Most = 1
	case rule.Most, rule.Count:
		c.Most = n
	case rule.Clusters:
		c.Used = n
	case rule.Least:
		c.Least = n
	case rule.Together:
		c.Used = 1
		p.fence(by, jobs)
	case rule.Spread:
		c.Skew = n
		p.fence(by, jobs)
	}
	if by.By != "" && (by.Verb == rule.Clusters || by.Verb == rule.Least) {
		p.fence(by, jobs)
	}
	p.limit(c, by.String())
}

func (p *Problem) limit(c solve.Counter, words string) {
	p.form.Counters, p.words = append(p.form.Counters, c), append(p.words, words)
}

// noCounter returns a counter without limits.
func noCounter() solve.Counter {
	return solve.Counter{Class: []int32{}, Most: solve.NoLimit, Used: solve.NoLimit, Skew: solve.NoLimit}
}

// classes numbers the classes of clusters in order of first use. A cluster that does not count gets
// -1. n is the number of classes.
func classes(clusters int, of func(j int) (class string, counts bool)) (class []int32, n int) {
	class = make([]int32, clusters)
	numbers := map[string]int32{}
	for j := range class {
		name, counts := of(j)
		if class[j] = -1; !counts {
			continue
		}
		if _, known := numbers[name]; !known {
			numbers[name] = int32(len(numbers))
		}
		class[j] = numbers[name]
	}
	return class, len(numbers)
}

// stay reads the current clusters of jobs and the cost to move each, and limits the moves to
// MaxMoves.
func (p *Problem) stay() {
	jobs := p.deployment.Jobs()
	if !slices.Contains(jobs.Attributes(), graph.Current) {
		return
	}
	p.home, p.move = slices.Repeat([]int32{-1}, jobs.Len()), make([]float64, jobs.Len())
	c := noCounter()
	cost := jobs.Column(graph.Lookup(graph.Job, "move"), 0)
	for job := range p.home {
		at, ok := p.capacity.federation.Cluster(jobs.Attribute(graph.Current, job))
		if !ok {
			continue
		}
		p.home[job] = int32(at)
		c.Jobs, c.Home = append(c.Jobs, int32(job)), append(c.Home, int32(at))
		if cost != nil && !math.IsNaN(cost[job]) {
			p.move[job] = cost[job]
		}
	}
	if most := p.capacity.options.MaxMoves; most != nil && len(c.Jobs) > 0 {
		c.Classes, c.Most = 1, int32(*most)
		p.limit(c, "at most "+show.Count(*most, "move"))
	}
}

// moving returns the cost of having a job on cluster j: 0 if it is there now.
func (p *Problem) moving(job int32, j int) float64 {
	if p.leaves(job, j) {
		return p.move[job]
	}
	return 0
}

// leaves reports whether a job on cluster j has left its current cluster.
func (p *Problem) leaves(job int32, j int) bool {
	return p.home != nil && p.home[job] >= 0 && p.home[job] != int32(j)
}

// moves returns the cost of moving each job to each cluster, row by row; nil if moves are free.
func (p *Problem) moves(clusters int) []float64 {
	if p.home == nil || !slices.ContainsFunc(p.move, func(cost float64) bool { return cost > 0 }) {
		return nil
	}
	cells := make([]float64, len(p.home)*clusters)
	for at := range cells {
		cells[at] = p.moving(int32(at/clusters), at%clusters)
	}
	return cells
}

// kept reports whether a placement satisfies all counters.
func (p *Problem) kept(cluster []int32) bool {
	t := solve.NewTallies(len(cluster), p.form.Counters)
	for job, j := range cluster {
		if t.Refuses(int32(job), j) >= 0 {
			return false
		}
		t.Place(int32(job), j)
	}
	return true
}

// refusedByRules names the rule that keeps a job from a cluster, given the jobs placed so far; ""
// if none does.
func (m *Attempt) refusedByRules(job int32, j int) (kind, text string) {
	if b := m.problem.barrier(-1, job, j); b != nil {
		return ruleKind, "rule: " + show.Text(b.rule.String())
	}
	if c := m.tallies.Refuses(job, int32(j)); c >= 0 {
		return ruleKind, "rule: " + show.Text(m.problem.words[c])
	}
	return "", ""
}

const ruleKind = "rule"

// CheckRule returns an error if a rule names a job, an attribute or a value that neither the
// deployments nor the federation have.
func CheckRule(by rule.Rule, deployments []*graph.Deployment, f *graph.Federation) error {
	for _, s := range by.Jobs {
		if !slices.ContainsFunc(deployments, func(d *graph.Deployment) bool { return len(d.Chosen([]rule.Selector{s})) > 0 }) {
			return fmt.Errorf("%s: no job is %s", by, s)
		}
	}
	attribute := attributeOf(by)
	if attribute == "" {
		return nil
	}
	var values []string
	for j := range f.Clusters().Len() {
		if value := f.Clusters().Attribute(attribute, j); value != "" {
			values = append(values, value)
		}
	}
	switch {
	case len(values) == 0:
		return fmt.Errorf("%s: no cluster has the attribute %s", by, show.Quote(attribute))
	case by.Verb == rule.Only && !slices.ContainsFunc(values, func(v string) bool { return slices.Contains(by.Where.Values, v) }):
		return fmt.Errorf("%s: no cluster has %s", by, by.Where)
	}
	return nil
}
