package drawing

import (
	"cmp"
	"slices"
	"sort"

	"berth/engine/graph"
	"berth/engine/rule"
	"berth/engine/show"
)

// Overview is a placement in figures, for views that work at any size: which jobs use how much of
// each cluster, and how tight the dependencies between any two clusters are.
type Overview struct {
	Resources []string     // resources that some job requests
	Clusters  []ClusterUse // by cluster, in file order
	Jobs      []JobUses    // by deployment
	Between   []Between    // sorted by A, then B
	Tightest  []Tight      // up to MostTight dependencies that cross clusters, least slack first

	OfClusters []rule.Choices // attributes that rules can use
	OfJobs     []rule.Choices
	Measures   []string // measures that can be traded against cost
}

// MostTight limits the dependencies that are listed individually.
const MostTight = 200

// ClusterUse is how much of each resource of a cluster is used: as a share of its capacity (0 if it
// has none or an infinite one), and in words.
type ClusterUse struct {
	ID    string
	Name  string
	Jobs  int
	Share []float64
	Words []string
}

// JobUses has the jobs of a deployment, in file order. Cluster and Share are empty if it was not
// placed. Share[r][i] is the share of resource r of its cluster that job i takes.
type JobUses struct {
	Deployment int
	IDs        []string
	Names      []string
	Cluster    []int32
	Share      [][]float64
}

// Between counts the dependencies between two clusters, A ≤ B. Slack is the smallest fraction of a
// bound that any of them leaves: 1 within one cluster and without bounds.
type Between struct {
	A     int
	B     int
	Count int
	Slack float64
}

// Tight is a dependency with the ids of its jobs' elements and the figures of its path.
type Tight struct {
	Ends  [2]string
	Slack float64
	Path  []Property
}

// Overlook returns the overview of a placement.
func Overlook(f *graph.Federation, placed []Placed) Overview {
	c := newCanvas(f, placed, Options{})
	o := Overview{Clusters: make([]ClusterUse, len(c.jobs))}
	for _, u := range c.usage {
		o.Resources = append(o.Resources, u.supply.Name)
	}
	for j := range o.Clusters {
		o.Clusters[j] = c.clusterUse(j)
	}
	for _, p := range placed {
		o.Jobs = append(o.Jobs, c.jobUses(p))
	}
	o.Between, o.Tightest = c.tightness()
	o.OfClusters = attributes(o.OfClusters, f.Clusters())
	for _, p := range placed {
		o.OfJobs = attributes(o.OfJobs, p.Deployment.Jobs())
	}
	return o
}

// mostValues limits the listed values of an attribute.
const mostValues = 100

// attributes adds the attributes of some elements with their values, in order of first use.
func attributes(all []rule.Choices, of *graph.Elements) []rule.Choices {
	for _, name := range of.Attributes() {
		k := slices.IndexFunc(all, func(a rule.Choices) bool { return a.Name == name })
		if k < 0 {
			k, all = len(all), append(all, rule.Choices{Name: name})
		}
		for i := range of.Len() {
			if value := of.Attribute(name, i); value != "" && len(all[k].Values) < mostValues && !slices.Contains(all[k].Values, value) {
				all[k].Values = append(all[k].Values, value)
			}
		}
	}
	return all
}

func (c *canvas) clusterUse(j int) ClusterUse {
	clusters := c.federation.Clusters()
	use := ClusterUse{ID: clusters.ID(j), Name: clusters.Name(j), Jobs: c.jobs[j]}
	for _, u := range c.usage {
		words := ""
		if v := clusters.Values(u.supply, j); v != nil {
			words = show.Group(number(u.used[j])) + " of " + show.Group(number(v[u.amount]))
			if unit := u.supply.Fields[u.amount].Unit; unit != "" {
				words += " " + unit
			}
		}
		use.Share = append(use.Share, c.part(u, j, u.used[j]))
		use.Words = append(use.Words, words)
	}
	return use
}

// part returns an amount of a resource as a fraction of a cluster's capacity, 0 if it has none.
func (c *canvas) part(u usage, cluster int, amount float64) float64 {
	v := c.federation.Clusters().Values(u.supply, cluster)
	if v == nil || v[u.amount] == 0 {
		return 0
	}
	return amount / v[u.amount]
}

func (c *canvas) jobUses(p Placed) JobUses {
	jobs := p.Deployment.Jobs()
	uses := JobUses{Deployment: p.Index, Cluster: p.Cluster}
	for i := range jobs.Len() {
		uses.IDs = append(uses.IDs, jobs.ID(i))
		uses.Names = append(uses.Names, jobs.Name(i))
	}
	if p.Cluster == nil {
		return uses
	}
	for _, u := range c.usage {
		share := make([]float64, jobs.Len())
		for i := range share {
			if v := jobs.Values(u.demand, i); v != nil {
				share[i] = c.part(u, int(p.Cluster[i]), v[u.request])
			}
		}
		uses.Share = append(uses.Share, share)
	}
	return uses
}

// tightness summarizes the dependencies of the placed deployments by pair of clusters, and lists
// the tightest.
func (c *canvas) tightness() ([]Between, []Tight) {
	type pair struct{ a, b int }
	at := map[pair]*Between{}
	var crossings []crossing
	for _, p := range c.placed {
		for k := range p.Deployment.Dependencies().Len() {
			if p.Cluster == nil {
				break
			}
			x := crossing{p, k, c.left(p, k)}
			i, j := p.Deployment.Ends(k)
			a, b := int(p.Cluster[i]), int(p.Cluster[j])
			if a != b {
				crossings = append(crossings, x)
			}
			e := pair{min(a, b), max(a, b)}
			if at[e] == nil {
				at[e] = &Between{A: e.a, B: e.b, Slack: 1}
			}
			at[e].Count++
			at[e].Slack = min(at[e].Slack, x.left)
		}
	}
	between := make([]Between, 0, len(at))
	for _, b := range at {
		between = append(between, *b)
	}
	slices.SortFunc(between, func(x, y Between) int { return cmp.Or(cmp.Compare(x.A, y.A), cmp.Compare(x.B, y.B)) })
	sort.SliceStable(crossings, func(i, j int) bool { return crossings[i].left < crossings[j].left })
	tightest := []Tight{}
	for _, x := range crossings[:min(len(crossings), MostTight)] {
		i, j := x.of.Deployment.Ends(x.dependency)
		_, path := c.slack(x.of, x.dependency)
		tightest = append(tightest, Tight{[2]string{JobID(x.of.Index, i), JobID(x.of.Index, j)}, x.left, path})
	}
	return between, tightest
}
