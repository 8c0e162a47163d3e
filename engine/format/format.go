package format

import (
	"fmt"
	"strings"

	"berth/engine/diag"
	"berth/engine/dot"
	"berth/engine/format/sniff"
	"berth/engine/graph"
	"berth/engine/packing"
	"berth/engine/plugin"
	"berth/engine/show"
)

// Options of a read. A format takes those that mean something to it.
type Options struct {
	dot.Options
	Reading
}

// Reading is how manifests and nodes become graphs.
type Reading struct {
	ClusterBy       string   `json:"clusterBy,omitempty"`       // of nodes: "region", "zone" or the label whose values are the clusters
	NoInferred      bool     `json:"noInferred,omitempty"`      // dependencies that are only guessed at are left out
	InferredLatency *float64 `json:"inferredLatency,omitempty"` // ms that those bear, nil for no bound
	Split           bool     `json:"split,omitempty"`           // each pod is a job
	Inferred        []Choice `json:"inferred,omitempty"`        // what becomes of single ones
}

// Choice is what becomes of an inferred dependency between two jobs, whichever of
// them comes first.
type Choice struct {
	From    string   `json:"from"`
	To      string   `json:"to"`
	Off     bool     `json:"off,omitempty"`     // it is left out
	Latency *float64 `json:"latency,omitempty"` // ms that it bears
}

// Inferred is a dependency that is only guessed at: where it is from, and what
// became of it.
type Inferred struct {
	Choice
	Why string `json:"why"` // "environment REDIS_ADDR names redis:6379"
}

// Infer returns what the options make of an inferred dependency.
func (o *Options) Infer(from, to, why string) Inferred {
	x := Inferred{Choice{from, to, o.NoInferred, o.InferredLatency}, why}
	for _, c := range o.Inferred {
		if c.From == from && c.To == to || c.From == to && c.To == from {
			x.Off = c.Off || o.NoInferred
			if c.Latency != nil {
				x.Latency = c.Latency
			}
		}
	}
	return x
}

// Deployment is a deployment graph and, where the format knows of pods, those of
// each job.
type Deployment struct {
	Name string
	*graph.Deployment
	Pods        []packing.Group        // by job; nil where only amounts are known
	Owners      []packing.Owner        // by job: what it is called in a cluster; nil as above
	Classes     []string               // by job: the priority class of its pods, "" for none; nil as above
	Priorities  []Priority             // by job: of its pods; nil as above
	Tolerations [][]packing.Toleration // by job: of taints that clusters have; nil as above
	Most        []int                  // by job: pods that an autoscaler makes at most, 0 without one; nil as above
	Policies    []*Propagation         // by job: which clusters it may go to; nil as above
	Daemons     []packing.Daemon       // that run on every node, and are no jobs
	Around      packing.Objects        // of the file, wherever the jobs go

	Inferred []Inferred // dependencies that are only guessed at, those that were left out too

	Unhonoured []Unhonoured
}

// Unhonoured is a field, or a whole object, of the input that bears on where pods may run
// and that Berth does not go by.
type Unhonoured struct {
	Object string `json:"object"` // kind and name: "Deployment/web"
	Field  string `json:"field"`  // its path, "" for the whole object
	Says   string `json:"says"`   // what that means
	Line   int    `json:"line"`   // of the file
}

// Priority is that of pods: the higher comes first, and preempts the lower unless it never
// does.
type Priority struct {
	Value int32
	Never bool
}

// String says what is not honoured, and where.
func (u Unhonoured) String() string {
	where := show.Text(u.Object)
	if u.Field != "" {
		where += " " + show.Text(u.Field)
	}
	return fmt.Sprintf("%s (line %d): %s", where, u.Line, u.Says)
}

// Federation is a federation graph and, where the format knows of nodes, those of
// each cluster.
type Federation struct {
	*graph.Federation
	Nodes    []*packing.Cluster  // by cluster; nil, or shorter, where only amounts are known
	Routed   bool                // a network, in which jobs talk over the shortest paths
	Taints   [][]packing.Taint   // by cluster, as long as Nodes: of the cluster itself
	Manifest []bool              // by cluster, as above: of a format that knows nothing of links
	Labels   []map[string]string // by cluster, as above: that policies choose clusters by
	Parts    []string            // by cluster, as above: the file that it is a part of, "" of a whole one

	Unhonoured []Unhonoured
}

// NodesOf returns the nodes of a cluster, nil where only its amounts are known.
func (f *Federation) NodesOf(cluster int) *packing.Cluster {
	if cluster < len(f.Nodes) {
		return f.Nodes[cluster]
	}
	return nil
}

// Reader is how files of one format of package sniff become T.
type Reader[T any] struct {
	Name string
	Read func(file string, text []byte, o Options) (T, diag.List)
	// Partial says that a file may leave out what others before it have said, and
	// is read after those that may not.
	Partial bool
}

var (
	deployments = newRegistry("deployment format", Reader[[]Deployment]{Name: "dot", Read: readDOTDeployments})
	federations = newRegistry("federation format", Reader[*Federation]{Name: "dot", Read: readDOTFederation, Partial: true})
)

func newRegistry[T any](sort string, first Reader[T]) *plugin.Registry[Reader[T]] {
	return plugin.NewRegistry("format", sort, func(f *Reader[T]) (string, bool) { return f.Name, f.Read != nil }, first)
}

// AddDeployments adds a format of deployments; a name that is taken is an error.
func AddDeployments(f Reader[[]Deployment]) error { return deployments.Add(f) }

// AddFederations adds a format of federations as above.
func AddFederations(f Reader[*Federation]) error { return federations.Add(f) }

// DeploymentReader returns the reader of a text.
func DeploymentReader(text []byte) Reader[[]Deployment] {
	return recognise(deployments, text, sniff.Deployments)
}

// FederationReader returns the reader of a text.
func FederationReader(text []byte) Reader[*Federation] {
	return recognise(federations, text, sniff.Federations)
}

// Refused is the name of the format of texts that no reader takes.
const Refused = "refused"

// recognise finds the reader of a text. What has no syntax that is known is taken for
// a graph in DOT with a mistake, whose reader says where that is; what has another
// syntax, or belongs elsewhere, is refused.
func recognise[T any](all *plugin.Registry[Reader[T]], text []byte, role sniff.Role) Reader[T] {
	head := string(text[:min(len(text), sniff.Most)])
	found := sniff.Look(head, role)
	name := "dot"
	if found.Format != nil {
		name = found.Name
	}
	if f, ok := all.Lookup(name); ok && (found.Format != nil || found.Syntax() <= sniff.Empty) {
		return f
	}
	return Reader[T]{Name: Refused, Read: func(file string, text []byte, _ Options) (none T, found diag.List) {
		_, file, _ = Named(file)
		return none, diag.List{*diag.New(file, 1, 1, diag.OtherFormat, sniff.Refusal(head, role))}
	}}
}

// ReadDeployments reads the deployments of a file in whatever format it is.
func ReadDeployments(file string, text []byte, o Options) ([]Deployment, diag.List) {
	return DeploymentReader(text).Read(file, text, o)
}

// Named splits NAME=FILE, which gives the cluster of a file a name.
func Named(file string) (cluster, name string, ok bool) {
	cluster, name, ok = strings.Cut(file, "=")
	if !ok || cluster == "" || name == "" || strings.ContainsAny(cluster, `/\`) {
		return "", file, false
	}
	return cluster, name, true
}

func readDOTDeployments(file string, text []byte, o Options) ([]Deployment, diag.List) {
	if long := tooLong(file, text); long != nil {
		return nil, long
	}
	read, diagnostics := dot.ReadDeployments(file, text, o.Options)
	all := make([]Deployment, len(read))
	for i, d := range read {
		all[i] = Deployment{Name: d.Name, Deployment: d.Deployment}
	}
	return all, diagnostics
}

// MaxDOT bounds the bytes of a graph, which takes many times as many when it is read.
const MaxDOT = 64 << 20

func tooLong(file string, text []byte) diag.List {
	if len(text) <= MaxDOT {
		return nil
	}
	return diag.List{*diag.New(file, 1, 1, graphSize, len(text), MaxDOT, MaxDOT>>20)}
}

func readDOTFederation(file string, text []byte, o Options) (*Federation, diag.List) {
	_, file, _ = Named(file)
	if long := tooLong(file, text); long != nil {
		return nil, long
	}
	f, diagnostics := dot.ReadFederation(file, text, o.Options)
	if f == nil {
		return nil, diagnostics
	}
	return &Federation{Federation: f}, diagnostics
}

// Split returns the deployment with one job for each pod: web becomes web#1,
// web#2, …, each with the dependencies of web. Pods of one job do not depend on
// each other.
func (d Deployment) Split() Deployment {
	return d.SplitJobs(func(int) bool { return true })
}

// SplitJobs does so with some jobs.
func (d Deployment) SplitJobs(which func(job int) bool) Deployment {
	s := Deployment{Name: d.Name, Deployment: graph.NewDeployment(), Daemons: d.Daemons, Around: d.Around, Unhonoured: d.Unhonoured, Inferred: d.Inferred}
	s.DOTName = d.DOTName
	first := make([]int, d.Jobs().Len()+1)
	for i := range d.Jobs().Len() {
		pods, parts := d.Pods[i].Pods, 1
		if which(i) {
			parts = pods
		}
		for k := range parts {
			id, shape := d.Jobs().ID(i), d.Pods[i].Shape
			if parts > 1 {
				shape = shape.Ordinal(k)
				id = fmt.Sprintf("%s#%d", id, k+1)
			}
			job := s.AddJob(id)
			s.Jobs().Copy(job, d.Jobs(), i)
			for _, l := range d.Jobs().Labels(i) {
				for f := range l.Values {
					if l.Type.Kind == graph.Demand {
						l.Values[f] /= float64(parts)
					}
				}
				s.Jobs().SetLabel(l.Type, job, l.Values)
			}
			s.Pods = append(s.Pods, packing.Group{Name: id, Shape: shape, Pods: pods / parts})
			s.Owners, s.Classes = append(s.Owners, d.Owners[i]), append(s.Classes, d.Classes[i])
			s.Tolerations, s.Priorities = append(s.Tolerations, d.Tolerations[i]), append(s.Priorities, d.Priorities[i])
			s.Most, s.Policies = append(s.Most, d.Most[i]), append(s.Policies, d.Policies[i])
		}
		first[i+1] = first[i] + parts
	}
	for k := range d.Dependencies().Len() {
		a, b := d.Ends(k)
		labels := d.Dependencies().Labels(k)
		share(labels, float64((first[a+1]-first[a])*(first[b+1]-first[b])))
		for x := first[a]; x < first[a+1]; x++ {
			for y := first[b]; y < first[b+1]; y++ {
				s.AddDependency(x, y, labels...)
			}
		}
	}
	s.Rules = d.RulesBy(func(job int) []string {
		var ids []string
		for pod := first[job]; pod < first[job+1]; pod++ {
			ids = append(ids, s.Jobs().ID(pod))
		}
		return ids
	})
	return s
}

// share divides what adds up between the dependencies that one becomes.
func share(labels []graph.Label, between float64) {
	for _, l := range labels {
		for f := range l.Values {
			if l.Type.Fields[f].Adds {
				l.Values[f] /= between
			}
		}
	}
}
