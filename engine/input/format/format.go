package format

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"berth/engine/diag"
	"berth/engine/dot"
	"berth/engine/graph"
	"berth/engine/input/format/sniff"
	"berth/engine/kube"
	"berth/engine/show"
)

// Options are the options of a reader. A format ignores the options that do not apply to it.
type Options struct {
	dot.Options
	Reading
}

// dot returns the options for the DOT reader, with the fields of Reading that apply to DOT.
func (o *Options) dot() dot.Options {
	of := o.Options
	of.Undirected, of.FreePrices = o.Reading.Undirected, o.Reading.FreePrices
	return of
}

// Reading has the options for converting manifests and nodes to graphs.
type Reading struct {
	ClusterBy       string   `json:"clusterBy,omitempty"`       // how to group nodes into clusters: by "region", by "zone" or by a label
	NoInferred      bool     `json:"noInferred,omitempty"`      // omits inferred dependencies
	InferredLatency *float64 `json:"inferredLatency,omitempty"` // latency bound of inferred dependencies in ms; nil: no bound
	Split           bool     `json:"split,omitempty"`           // makes each pod a job
	Undirected      bool     `json:"undirected,omitempty"`      // reads directed graphs as undirected
	FreePrices      bool     `json:"freePrices,omitempty"`      // missing prices count as 0
	Inferred        []Choice `json:"inferred,omitempty"`        // options for individual inferred dependencies
}

// Choice has the options for the inferred dependency between two jobs, in either
// direction.
type Choice struct {
	From    string   `json:"from"`
	To      string   `json:"to"`
	Off     bool     `json:"off,omitempty"`     // omitted
	Latency *float64 `json:"latency,omitempty"` // latency bound in ms
}

// Inferred is an inferred dependency with its evidence and its options.
type Inferred struct {
	Choice
	Why string `json:"why"` // evidence: "environment REDIS_ADDR names redis:6379"
}

// Infer returns an inferred dependency with its options.
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

// Deployment is a deployment graph and, for formats with pods, the pods of each job.
type Deployment struct {
	Name string
	*graph.Deployment
	Pods    []Pods        // by job; nil if the format has only amounts
	Daemons []kube.Daemon // DaemonSets, which run on every node and are not jobs
	Around  kube.Objects  // other objects of the file, which apply on every cluster

	Inferred []Inferred // inferred dependencies, including omitted ones

	Unhonoured []Unhonoured
}

// Updates returns the rolling updates of the Deployments among the jobs.
func (d *Deployment) Updates() (all []kube.Update) {
	for i := range d.Pods {
		if p := &d.Pods[i]; p.Owner.Kind == "Deployment" {
			all = append(all, kube.Update{Group: p.Group, Owner: p.Owner, Rolling: p.Rolling})
		}
	}
	return all
}

// Pods describes the pods of one job as Kubernetes knows them. The placement of such jobs obeys
// kube-scheduler's rules.
type Pods struct {
	kube.Group
	kube.Rolling
	Owner       kube.Owner        // identity of the workload in a cluster
	Class       string            // priority class; "" for none
	Tolerations []kube.Toleration // of cluster taints
	Most        int               // maximum number under an autoscaler; 0: no autoscaler
	Policy      *Propagation      // selects the clusters; nil: none
}

// Unhonoured is a field or an object of the input that affects where pods can run but that Berth
// does not honour.
type Unhonoured struct {
	Object string // kind and name: "Deployment/web"
	Field  string // path of the field; "" for the whole object
	Says   string // consequence
	Line   int    // line in the file
	File   string `json:"file,omitempty"` // "" for the file of the deployment
}

// String returns the position and the consequence.
func (u Unhonoured) String() string {
	where := show.Text(u.Object)
	if u.Field != "" {
		where += " " + show.Text(u.Field)
	}
	return fmt.Sprintf("%s (line %d): %s", where, u.Line, u.Says)
}

// Federation is a federation graph and its clusters as their files describe them.
type Federation struct {
	*graph.Federation
	Members []Member // by cluster; may be shorter than the list of clusters if only the amounts of the last clusters are known
	Routed  bool     // it is a network: traffic takes shortest paths
	Sparse  bool     // its format may omit amounts, which are then unknown

	Unhonoured []Unhonoured
}

// Member describes a cluster of a federation, apart from its amounts.
type Member struct {
	Nodes    *kube.Cluster     // nil if only its amounts are known
	Taints   []kube.Taint      // taints of the cluster
	Manifest bool              // its format has no links and prices
	Labels   map[string]string // labels of the cluster, for policies
	Part     string            // name of the part of the file that describes the cluster; "" for the whole file
}

// Member returns the description of a cluster. It is empty if only the amounts of the cluster are
// known.
func (f *Federation) Member(cluster int) Member {
	if cluster < len(f.Members) {
		return f.Members[cluster]
	}
	return Member{}
}

// NodesOf returns the nodes of a cluster, or nil if only its amounts are known.
func (f *Federation) NodesOf(cluster int) *kube.Cluster { return f.Member(cluster).Nodes }

// Listed yields the clusters whose nodes are known.
func (f *Federation) Listed() iter.Seq2[int, *kube.Cluster] {
	return func(yield func(int, *kube.Cluster) bool) {
		for i, m := range f.Members {
			if m.Nodes != nil && !yield(i, m.Nodes) {
				return
			}
		}
	}
}

// Graphs is a format of graphs, with functions that recognise and read it. A function is nil if the
// format does not support its use.
type Graphs struct {
	*sniff.Format
	Deployments func(file string, text []byte, o Options) ([]Deployment, diag.List)
	Federation  func(file string, text []byte, o Options) (*Federation, diag.List)
	// Role returns the role of a text. It is set for formats that can hold either deployments or
	// federations.
	Role func(text []byte) dot.Role
	// Partial says that a file in this format may omit data that another file contains. Such files
	// are read after the complete ones.
	Partial bool
}

// DOT and Kubernetes are formats of graphs. Package manifest sets the readers of Kubernetes.
var (
	DOT = &Graphs{
		Format:      &sniff.Format{Name: "dot", What: "a graph in DOT", For: sniff.Placement, Syntax: sniff.DOT, Fit: sniff.Always(100)},
		Deployments: readDOTDeployments, Federation: readDOTFederation, Role: dot.Detect, Partial: true,
	}
	Kubernetes = &Graphs{Format: &sniff.Format{
		Name: "kubernetes", Brief: "Kubernetes", What: "objects of Kubernetes", For: sniff.Placement | sniff.Manifests,
		Do:     "choose it in Placement, as hosts or controllers in QoS, or as the machines in Federate", // it may contain nodes or workloads
		Syntax: sniff.YAML | sniff.JSON, Fit: fitsKubernetes,
	}}
)

// fitsKubernetes requires both keys, anywhere in the beginning of the text, because the objects may
// be items of a list.
func fitsKubernetes(h *sniff.Head) int {
	has := func(key string) bool { return h.HasKey(key) || slices.Contains(h.Fields, key) }
	return sniff.ScoreIf(95, has("apiVersion") && has("kind"))
}

// formats maps the format that sniff recognises to its readers.
var formats = map[*sniff.Format]*Graphs{}

// Add adds a format. Only init functions may call it.
func Add(f *Graphs) {
	sniff.Add(f.Format)
	formats[f.Format] = f
}

func init() {
	Add(DOT)
	Add(Kubernetes)
}

// DeploymentReader returns the format of a text as deployments.
func DeploymentReader(text []byte) *Graphs { return recognise(text, sniff.Deployments) }

// FederationReader returns the format of a text as a federation.
func FederationReader(text []byte) *Graphs { return recognise(text, sniff.Federations) }

// Refused is the name of the format returned for texts that no format accepts.
const Refused = "refused"

// recognise returns the format of a text. A text without a recognised syntax counts as DOT, whose
// reader reports the position of the mistake. Texts in another syntax, or for another purpose, get a
// format that refuses them.
func recognise(text []byte, role sniff.Role) *Graphs {
	head := string(text[:min(len(text), sniff.Most)])
	found := sniff.Look(head, role)
	f := formats[found.Format]
	switch {
	case found.Format == nil && found.Syntax() <= sniff.Empty:
		return DOT
	case f != nil && (role == sniff.Deployments && f.Deployments != nil || role == sniff.Federations && f.Federation != nil):
		return f
	}
	refuse := func(file string) diag.List {
		_, file, _ = Named(file)
		return diag.List{*diag.New(file, 1, 1, diag.OtherFormat, sniff.Refusal(head, role))}
	}
	return &Graphs{
		Format:      &sniff.Format{Name: Refused},
		Deployments: func(file string, _ []byte, _ Options) ([]Deployment, diag.List) { return nil, refuse(file) },
		Federation:  func(file string, _ []byte, _ Options) (*Federation, diag.List) { return nil, refuse(file) },
	}
}

// ReadDeployments reads the deployments of a file in any registered format.
func ReadDeployments(file string, text []byte, o Options) ([]Deployment, diag.List) {
	return DeploymentReader(text).Deployments(file, text, o)
}

// Named splits NAME=FILE, which names the cluster of a file.
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
	read, diagnostics := dot.ReadDeployments(file, text, o.dot())
	all := make([]Deployment, len(read))
	for i, d := range read {
		all[i] = Deployment{Name: d.Name, Deployment: d.Deployment}
	}
	return all, diagnostics
}

// MaxDOT limits the size of a graph in bytes, because reading it takes many times that memory.
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
	f, diagnostics := dot.ReadFederation(file, text, o.dot())
	if f == nil {
		return nil, diagnostics
	}
	return &Federation{Federation: f}, diagnostics
}

// Split returns the deployment with one job per pod: web becomes web#1, web#2, …,
// each with the dependencies of web. Pods of one job do not depend on each other.
func (d Deployment) Split() Deployment {
	return d.SplitJobs(func(int) bool { return true })
}

// SplitJobs is [Deployment.Split] for selected jobs.
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
			one := d.Pods[i]
			one.Name, one.Shape, one.Pods = id, shape, pods/parts
			s.Pods = append(s.Pods, one)
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

// share divides additive values among the copies of a dependency.
func share(labels []graph.Label, between float64) {
	for _, l := range labels {
		for f := range l.Values {
			if l.Type.Fields[f].Adds {
				l.Values[f] /= between
			}
		}
	}
}
