package placement

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"berth/engine/stats"
)

// Explanation says why one job got its cluster.
type Explanation struct {
	Step       int // from 0, in the order of the search
	Jobs       int
	Reached    int    // number of steps that can be explained: the length of the longest attempt; 0 in a playback
	Job        string // DOT id
	Name       string
	Requests   []Request
	Y          float64     // requests of the job and its neighbours, in units of the resource, or of cpu if there are several
	Rank       int         // in SJ, from 1
	Cluster    string      // DOT id; "" if the job found none
	PA         []Candidate // in the order of the heuristic, or of the random draw
	Order      Order       // the order in which the strategy tried PA; "" if unknown
	Refusals   []Refusal
	Neighbours []Neighbour
}

// Order is the order in which a strategy tries the clusters of PA.
type Order string

// Orders: by the ranking of the heuristic, or as drawn at random.
const (
	InPAOrder    Order = "pa"
	InDrawnOrder Order = "drawn"
)

// Request is a job's request of one resource.
type Request struct {
	Resource string
	Request  float64
	Unit     string
}

// Candidate is a cluster of the priority array PA_i: it can take job i.
type Candidate struct {
	Cluster string
	Name    string
	CM      float64
	NAM     float64 // 0 on underflow
	Ratio   float64 // CM/NAM, at most the largest float64
	Chosen  bool
	Tried   bool // tried first and undone, because a later job found no cluster

	key   float64
	index int32
}

// Refusal is a cluster outside PA_i with the first reason for it.
type Refusal struct {
	Cluster string
	Name    string
	Kind    string // "no room", "limit range", "no link", "latency", …
	Text    string
}

// Neighbour is a job that the explained one depends on.
type Neighbour struct {
	Job     string
	Name    string
	Cluster string // "" if it was not placed yet
}

// Explain explains the job at one step of a solution. Steps count from 0 in Order. If the search
// failed, the last step that can be explained is the job that found no cluster. phi is a in Φ.
func Explain(p *Problem, s Solution, phi float64, step int) (Explanation, error) {
	m, err := repeat(p, s, step)
	if err != nil {
		return Explanation{}, err
	}
	at := s.Cluster[s.Order[step]]
	e := m.explanation(phi, at)
	e.Reached = Reached(s)
	if at >= 0 {
		e.Cluster = p.capacity.federation.Clusters().ID(int(at))
	}
	switch {
	case s.ByPA:
		e.Order = InPAOrder
	case s.Draws != nil:
		e.Order = InDrawnOrder
		slices.SortFunc(e.PA, func(a, b Candidate) int {
			return cmp.Or(cmp.Compare(drawn(s.Draws[step], int(a.index)), drawn(s.Draws[step], int(b.index))), cmp.Compare(a.index, b.index))
		})
	}
	if e.Order != "" {
		chosen := slices.IndexFunc(e.PA, func(c Candidate) bool { return c.Chosen })
		for i := range e.PA[:max(chosen, 0)] {
			e.PA[i].Tried = true
		}
	}
	return e, nil
}

// explanation explains the current job, with its PA in the order of the heuristic.
func (m *Attempt) explanation(phi float64, chosen int32) Explanation {
	p, job := m.problem, m.order[m.step]
	jobs := p.deployment.Jobs()
	e := Explanation{
		Step: m.step, Jobs: jobs.Len(), Job: jobs.ID(int(job)), Name: jobs.Name(int(job)),
		Y: units(p.y[job]), Rank: slices.Index(descending(p.y), job) + 1, Requests: p.requests(job), Neighbours: m.neighbours(job),
	}
	for j := range p.capacity.federation.Clusters().Len() {
		if r, refused := m.refusal(job, j); refused {
			r.Text = cmp.Or(m.nodesSay(job, j), r.Text)
			e.Refusals = append(e.Refusals, r)
			continue
		}
		e.PA = append(e.PA, m.candidate(job, j, phi, int32(j) == chosen))
	}
	sort.SliceStable(e.PA, func(i, j int) bool { return e.PA[i].key < e.PA[j].key }) // ties in file order
	return e
}

// Reached returns how many steps of a solution can be explained: all steps of a placement,
// otherwise the steps up to and including the job that failed.
func Reached(s Solution) int {
	failed := slices.IndexFunc(s.Order, func(job int32) bool { return s.Cluster[job] < 0 })
	if failed < 0 {
		return len(s.Order)
	}
	return failed + 1
}

func (p *Problem) requests(job int32) []Request {
	var all []Request
	for r := range p.demands {
		if m := &p.demands[r]; m.carries[job] && m.request >= 0 {
			all = append(all, Request{m.supply.Name, m.w[job], m.demand.Fields[m.request].Unit})
		}
	}
	return all
}

func (m *Attempt) candidate(job int32, j int, phi float64, chosen bool) Candidate {
	clusters := m.problem.capacity.federation.Clusters()
	cost, x := m.cost(job, j), m.excess(job, j)
	exponent, ratio := float64(phi*units(x)), 0.0
	if cost > 0 { // a cost of 0 stays 0 for every NAM
		ratio = min(cost*stats.Exp(exponent), math.MaxFloat64)
	}
	return Candidate{
		Cluster: clusters.ID(j), Name: clusters.Name(j), Chosen: chosen,
		CM: cost, NAM: stats.Exp(-exponent), Ratio: ratio,
		key: stats.Log(cost) + float64(phi/partsPerUnit*x), index: int32(j),
	}
}

func (m *Attempt) neighbours(job int32) []Neighbour {
	p := m.problem
	jobs := p.deployment.Jobs()
	var all []Neighbour
	neighbours, _ := p.deployment.Neighbours(int(job))
	for _, k := range neighbours {
		n := Neighbour{Job: jobs.ID(int(k)), Name: jobs.Name(int(k))}
		if at := m.cluster[k]; at >= 0 {
			n.Cluster = p.capacity.federation.Clusters().ID(int(at))
		}
		all = append(all, n)
	}
	return all
}

// nodesSay returns why the nodes of a cluster refuse a job, with the shortfall of each node. It
// returns "" if the nodes accept the job or are unknown, or if only links refuse it.
func (m *Attempt) nodesSay(job int32, j int) string {
	if demand, _ := m.unfit(job, j); demand < 0 {
		if kind, _ := m.refusedByLinks(job, j); kind != "" {
			return ""
		}
	}
	why, _ := m.problem.RefusedByNodes(m.cluster, job, j)
	return why
}
