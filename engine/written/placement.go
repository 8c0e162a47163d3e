package written

import (
	"context"
	"fmt"
	"slices"

	"go.starlark.net/starlark"

	"berth/engine/graph"
	"berth/engine/parameter"
	"berth/engine/placement"
	"berth/engine/plugin"
	"berth/engine/policy"
	"berth/engine/script"
)

var placementLaboratory = Laboratory{
	Kind: "placement",
	Functions: []Function{
		{"order", []string{"job"}, "The key of a job: the job with the smallest is placed first. Without it, jobs are placed in the order of the file."},
		{"score", []string{"job", "cluster"}, "The key of a cluster that has room for the job: the smallest is tried first. `None` or `refuse(\"…\")` refuses the cluster. Without it, clusters are tried in the order of the file."},
		{"better", []string{"placement"}, "The key of a whole placement, smaller being better. With it, Berth moves single jobs for as long as that makes the placement better."},
	},
	Settings: []Setting{{"backtrack", "`False` to stop at the first job that no cluster takes; `True` (the default) takes jobs back and tries their next clusters."}},
	Types:    []TypeReference{withLabels(referenceOf(jobType), graph.Job), referenceOf(neighbourType), withLabels(referenceOf(cellType), graph.Cluster), referenceOf(linkType), referenceOf(placementType)},
}

func placementPlugin(t policy.Text) (placement.Plugin, error) {
	program, err := placementLaboratory.compile(t)
	if err != nil {
		return placement.Plugin{}, err
	}
	backtrack, err := program.Flag("backtrack", true)
	return placement.Plugin{
		Name: t.Name, Title: t.Name, Description: "a policy that is written as text",
		New: func(parameter.Values) placement.Strategy {
			return placement.Ranked(func(ctx context.Context, p *placement.Problem) (placement.Ranking, error) {
				c, f, err := placementLaboratory.begin(ctx, program)
				return &ranking{call: c, order: f["order"], score: f["score"], better: f["better"], backtrack: backtrack, problem: p}, err
			})
		},
	}, err
}

// ranking is a run of a text on a problem.
type ranking struct {
	call                 *script.Call
	order, score, better *script.Function
	backtrack            bool
	problem              *placement.Problem
	refusals             []string
	keys                 [][]float64 // scratch memory of Rank
}

// Order implements [placement.Ranking].
func (r *ranking) Order() ([]int32, error) {
	jobs := r.problem.Deployment().Jobs()
	order, keys := make([]int32, jobs.Len()), make([][]float64, jobs.Len())
	for i := range order {
		order[i] = int32(i)
		if r.order == nil {
			continue
		}
		of := about{"job", jobs.ID(i)}
		c := r.order.Begin()
		v, _ := r.order.Call(of, r.job(c, i, nil))
		d := decide(r.order, of, v, nil)
		if d.refused {
			r.order.Wrong(of, noKey)
		}
		if err := r.call.Err(); err != nil {
			return nil, err
		}
		keys[i] = d.key
	}
	slices.SortStableFunc(order, func(a, b int32) int { return slices.Compare(keys[a], keys[b]) })
	return order, nil
}

// Rank implements [placement.Ranking].
func (r *ranking) Rank(m *placement.Attempt, cells []placement.Cell) ([]int32, error) {
	job, _ := m.Job()
	order := make([]int32, 0, len(cells))
	r.keys = slices.Grow(r.keys[:0], len(cells))[:len(cells)]
	jobs, clusters := r.problem.Deployment().Jobs(), r.problem.Capacity().Federation().Clusters()
	for i := range cells {
		r.keys[i] = r.keys[i][:0]
		if r.score != nil {
			of := about{"job", jobs.ID(job) + " on " + clusters.ID(cells[i].Cluster)}
			c := r.score.Begin()
			v, _ := r.score.Call(of, r.job(c, job, m), r.cell(c, m, job, &cells[i]))
			d := decide(r.score, of, v, r.keys[i])
			if err := r.call.Err(); err != nil {
				return nil, err
			}
			if d.refused {
				if len(r.refusals) < mostRefusals && !slices.Contains(r.refusals, d.why) {
					r.refusals = append(r.refusals, d.why)
				}
				continue
			}
			r.keys[i] = d.key
		}
		order = append(order, int32(i))
	}
	slices.SortStableFunc(order, func(a, b int32) int { return slices.Compare(r.keys[a], r.keys[b]) })
	return order, nil
}

// mostRefusals limits the number of refusal reasons in a result.
const mostRefusals = 5

// Refusals implements [placement.Ranking].
func (r *ranking) Refusals() []string { return r.refusals }

// Backtracks implements [placement.Ranking].
func (r *ranking) Backtracks() bool { return r.backtrack }

// Own implements [placement.Ranking].
func (r *ranking) Own() plugin.Own { return r.call.Own }

// Better implements [placement.Ranking].
func (r *ranking) Better(m *placement.Attempt) (value []float64, ok bool, err error) {
	if r.better == nil {
		return nil, false, nil
	}
	of := about{"the", "placement"}
	c := r.better.Begin()
	v, _ := r.better.Call(of, placementType.Object(c, complete{r, m}))
	d := decide(r.better, of, v, nil)
	return d.key, !d.refused, r.call.Err()
}

// jobOf is a job of an attempt; the attempt is nil while jobs are ordered.
type jobOf struct {
	*ranking
	attempt *placement.Attempt
	job     int
}

func (r *ranking) job(c *script.Call, job int, m *placement.Attempt) starlark.Value {
	of := jobOf{r, m, job}
	jobs := r.problem.Deployment().Jobs()
	return jobType.Object(c, of).With(func(name string) (starlark.Value, error) { return labelOf(jobs, name, job) })
}

var jobType = script.NewType("job", "A job of the deployment. It also has every plain attribute that DOT files have for jobs; a figure that the job lacks is 0.",
	script.ObjectAttribute[jobOf]{Name: "id", Help: "its id in the file", Of: func(j jobOf) (starlark.Value, error) { return text(j.jobs().ID(j.job)) }},
	script.ObjectAttribute[jobOf]{Name: "name", Help: "what it is called", Of: func(j jobOf) (starlark.Value, error) { return text(j.jobs().Name(j.job)) }},
	script.ObjectAttribute[jobOf]{Name: "size", Unit: "cpu", Help: "its request; of several resources, the one with the largest share of a mean cluster", Of: func(j jobOf) (starlark.Value, error) { return float(j.problem.Request(j.job)) }},
	script.ObjectAttribute[jobOf]{Name: "weight", Unit: "cpu", Help: "what it and its neighbours ask for together", Of: func(j jobOf) (starlark.Value, error) { return float(j.problem.Weight(j.job)) }},
	script.ObjectAttribute[jobOf]{Name: "current", Help: "the id of the cluster that it is on before the placement, None for none", Of: func(j jobOf) (starlark.Value, error) {
		if at := j.jobs().Attribute(graph.Current, j.job); at != "" {
			return text(at)
		}
		return starlark.None, nil
	}},
	script.ObjectAttribute[jobOf]{Name: "neighbours", Help: "the jobs that it depends on, or that depend on it", Of: neighboursOf},
)

func (j jobOf) jobs() *graph.Elements { return j.problem.Deployment().Jobs() }

// neighbourOf is a neighbour of a job and the dependency between them.
type neighbourOf struct {
	jobOf
	dependency int
}

func neighboursOf(j jobOf) (starlark.Value, error) {
	jobs, dependencies := j.problem.Deployment().Neighbours(j.job)
	all := make(starlark.Tuple, len(jobs))
	labels := j.problem.Deployment().Dependencies()
	for i := range jobs {
		k := neighbourOf{jobOf{j.ranking, j.attempt, int(jobs[i])}, int(dependencies[i])}
		all[i] = neighbourType.Object(j.call, k).With(func(name string) (starlark.Value, error) { return labelOf(labels, name, k.dependency) })
	}
	return all, nil
}

var neighbourType = script.NewType("neighbour", "A neighbour of a job, with the bounds of the dependency between them: `latency`, `bandwidth`, `volume`; 0 where there is none.",
	script.ObjectAttribute[neighbourOf]{Name: "id", Help: "the id of the neighbour", Of: func(n neighbourOf) (starlark.Value, error) { return text(n.jobs().ID(n.job)) }},
	script.ObjectAttribute[neighbourOf]{Name: "cluster", Help: "the id of the cluster that the neighbour is placed on, None for none yet", Of: func(n neighbourOf) (starlark.Value, error) {
		if at := n.at(); at >= 0 {
			return text(n.clusters().ID(at))
		}
		return starlark.None, nil
	}},
)

func (j jobOf) clusters() *graph.Elements { return j.problem.Capacity().Federation().Clusters() }

// at returns the cluster of the job, -1 if it is not placed.
func (j jobOf) at() int {
	if j.attempt == nil {
		return -1
	}
	return j.attempt.ClusterOf(j.job)
}

// cellOf is a candidate cluster for a job, as the text of a strategy sees it.
type cellOf struct {
	jobOf
	placement.Cell
}

func (r *ranking) cell(c *script.Call, m *placement.Attempt, job int, cell *placement.Cell) starlark.Value {
	of := cellOf{jobOf{r, m, job}, *cell}
	return cellType.Object(c, of).With(func(name string) (starlark.Value, error) { return labelOf(of.clusters(), name, of.Cluster) })
}

var cellType = script.NewType("cluster", "A cluster that has room for the job, and links to its neighbours that are placed. It also has every plain attribute that DOT files have for clusters; a figure that the cluster lacks is None.",
	script.ObjectAttribute[cellOf]{Name: "id", Help: "its id in the file", Of: func(c cellOf) (starlark.Value, error) { return text(c.clusters().ID(c.Cluster)) }},
	script.ObjectAttribute[cellOf]{Name: "name", Help: "what it is called", Of: func(c cellOf) (starlark.Value, error) { return text(c.clusters().Name(c.Cluster)) }},
	script.ObjectAttribute[cellOf]{Name: "cost", Help: "what the job costs there, with the links to neighbours that are placed (CM)", Of: func(c cellOf) (starlark.Value, error) { return float(c.Cost) }},
	script.ObjectAttribute[cellOf]{Name: "log_affinity", Help: "the logarithm of the affinity (NAM): 0 where the job and all its neighbours find room, and less the more is missing", Of: func(c cellOf) (starlark.Value, error) { return float(c.LogAffinity) }},
	script.ObjectAttribute[cellOf]{Name: "free", Help: "what is left, by resource: `cluster.free.cpu`, `cluster.free.memory`", Of: func(c cellOf) (starlark.Value, error) {
		return freeType.Object(c.call, c).With(func(name string) (starlark.Value, error) {
			t := graph.Lookup(graph.Cluster, name)
			if t == nil {
				return nil, nil
			}
			if left, ok := c.attempt.Left(t, c.Cluster); ok {
				return float(left)
			}
			return nil, nil
		}), nil
	}},
	script.ObjectAttribute[cellOf]{Name: "links", Help: "the ways to the neighbours that are placed on other clusters", Of: linksOf},
)

var freeType = script.NewType[cellOf]("free", "What a cluster has left.")

// linkOf is the path from a cluster to the cluster of a neighbour.
type linkOf struct {
	cellOf
	neighbour, to int
}

func linksOf(c cellOf) (starlark.Value, error) {
	var all starlark.Tuple
	neighbours, _ := c.problem.Deployment().Neighbours(c.job)
	for _, k := range neighbours {
		to := c.attempt.ClusterOf(int(k))
		if to < 0 || to == c.Cluster {
			continue
		}
		of := linkOf{c, int(k), to}
		all = append(all, linkType.Object(c.call, of).With(of.figure))
	}
	return all, nil
}

// figure returns a figure of the path, derived from its links by sum or minimum.
func (l linkOf) figure(name string) (starlark.Value, error) {
	t, field := labelNamed(graph.Link, name)
	if t == nil {
		return nil, nil
	}
	figure, ok := l.problem.Capacity().Federation().Figure(t, field, l.Cluster, l.to)
	if !ok {
		return starlark.None, nil
	}
	return float(figure)
}

var linkType = script.NewType("link", "The way from a cluster to that of a neighbour, with the figures of its links: `latency`, `bandwidth`, `link_cost`, …; None where they are not known.",
	script.ObjectAttribute[linkOf]{Name: "neighbour", Help: "the id of the neighbour", Of: func(l linkOf) (starlark.Value, error) { return text(l.jobs().ID(l.neighbour)) }},
	script.ObjectAttribute[linkOf]{Name: "cluster", Help: "the id of its cluster", Of: func(l linkOf) (starlark.Value, error) { return text(l.clusters().ID(l.to)) }},
)

// complete is a placement of all jobs. It is passed to the functions that judge complete
// placements.
type complete struct {
	*ranking
	attempt *placement.Attempt
}

func (w complete) costs() (node, link float64) {
	cluster := make([]int32, w.problem.Deployment().Jobs().Len())
	for job := range cluster {
		cluster[job] = int32(w.attempt.ClusterOf(job))
	}
	return w.problem.Costs(cluster)
}

var placementType = script.NewType("placement", "A placement of all jobs.",
	script.ObjectAttribute[complete]{Name: "node_cost", Help: "what the jobs cost on their clusters", Of: func(w complete) (starlark.Value, error) { node, _ := w.costs(); return float(node) }},
	script.ObjectAttribute[complete]{Name: "link_cost", Help: "what the links between them cost", Of: func(w complete) (starlark.Value, error) { _, link := w.costs(); return float(link) }},
	script.ObjectAttribute[complete]{Name: "clusters", Help: "the id of the cluster of each job, by the id of the job", Of: func(w complete) (starlark.Value, error) {
		jobs, clusters := w.problem.Deployment().Jobs(), w.problem.Capacity().Federation().Clusters()
		all := starlark.NewDict(jobs.Len())
		for job := range jobs.Len() {
			if err := all.SetKey(starlark.String(jobs.ID(job)), starlark.String(clusters.ID(w.attempt.ClusterOf(job)))); err != nil {
				return nil, err
			}
		}
		return all, nil
	}},
)

// labelNamed returns the label and the field that an attribute name denotes.
func labelNamed(on graph.ElementKind, name string) (*graph.LabelType, int) {
	for _, t := range graph.Labels(on) {
		for i := range t.Fields {
			if slices.Contains(t.Fields[i].Attrs, name) {
				return t, i
			}
		}
	}
	return nil, 0
}

// labelOf returns the figure of an element that an attribute name denotes.
func labelOf(e *graph.Elements, name string, i int) (starlark.Value, error) {
	t, field := labelNamed(e.Kind(), name)
	if t == nil {
		return nil, nil
	}
	switch values := e.Values(t, i); {
	case values != nil && values[field] == values[field]:
		return float(values[field])
	case e.Kind() == graph.Cluster:
		return starlark.None, nil
	}
	return float(0)
}

// withLabels adds the plain attributes of a kind of element to the documentation of a
// type.
func withLabels(r TypeReference, on graph.ElementKind) TypeReference {
	for _, t := range graph.Labels(on) {
		for _, f := range t.Fields {
			for _, name := range f.Attrs {
				r.Attributes = append(r.Attributes, AttributeReference{name, f.Unit, fmt.Sprintf("as in the files: %s of %s", f.Name, t.Name)})
			}
		}
	}
	return r
}
