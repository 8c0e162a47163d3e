package kubernetes

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	yaml "go.yaml.in/yaml/v3"

	"berth/engine/budget"
	"berth/engine/format"
	"berth/engine/packing"
	"berth/engine/show"
)

// clusterLabel says on each manifest that is written for one cluster which it is,
// so that kubectl --context eu apply -l berth/cluster=eu -f FILE takes just its own.
// The annotation of that name has the cluster as it is called.
const clusterLabel = "berth/cluster"

// manifest is an object as it is written.
type manifest struct {
	identity
	version string
	node    *yaml.Node
}

// noManifest are the kinds that a cluster makes by itself, and clusters themselves.
var noManifest = []string{"Node", "Cluster", "Event", "Endpoints", "EndpointSlice", "ControllerRevision", "Lease"}

// unnamespaced are kinds that a policy of a namespace cannot choose.
var unnamespaced = []string{
	"Namespace", "ClusterRole", "ClusterRoleBinding", "CustomResourceDefinition", "PersistentVolume", "StorageClass", "PriorityClass",
	"IngressClass", "RuntimeClass", "ValidatingWebhookConfiguration", "MutatingWebhookConfiguration", "APIService", "ClusterPropagationPolicy",
}

// given are the fields of an object that the cluster gives it.
var given = []string{"uid", "resourceVersion", "creationTimestamp", "managedFields", "generation", "selfLink"}

// manifests returns the objects of files that a person would write.
func manifests(files []format.File) ([]manifest, error) {
	var all []manifest
	load := budget.New(budget.Limits{})
	for _, file := range files {
		s := &source{file: file.Name, budget: load}
		s.parts([]byte(file.Text), func(part []byte) {
			s.originals(part, func(root *value) {
				root.objects(typed{}, func(v *value, is typed) {
					if m, ok := written(v, is); ok {
						all = append(all, m)
					}
				})
			})
		})
		if err := s.found.Err(); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func written(v *value, is typed) (manifest, bool) {
	meta := v.at("metadata")
	m := manifest{identity: identity{is.kind, name{meta.at("namespace").text(), meta.at("name").text()}, ""}, version: is.version}
	m.namespace = cmp.Or(m.namespace, defaultNamespace)
	if m.name.name == "" || slices.Contains(noManifest, m.kind) || controllerOf(meta).Kind != "" {
		return m, false
	}
	m.node = bare(v.node.origin)
	if !v.at("kind").there() {
		set(m.node, "apiVersion", scalar(is.version))
		set(m.node, "kind", scalar(is.kind))
	}
	remove(m.node, "status")
	for _, field := range given {
		remove(mapping(m.node, "metadata"), field)
	}
	return m, true
}

// bare copies a value without comments, anchors and aliases.
func bare(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return bare(n.Alias)
	}
	c := &yaml.Node{Kind: n.Kind, Style: n.Style &^ yaml.FlowStyle, Tag: n.Tag, Value: n.Value}
	for _, child := range n.Content {
		c.Content = append(c.Content, bare(child))
	}
	if c.Kind != yaml.ScalarNode && len(c.Content) == 0 {
		c.Style = yaml.FlowStyle // {} and []
	}
	return c
}

func remove(m *yaml.Node, key string) {
	for i := 0; i+1 < len(m.Content); i += 2 {
		if m.Content[i].Value == key {
			m.Content = slices.Delete(m.Content, i, i+2)
			return
		}
	}
}

// mapping returns a mapping in another one, which it makes if it is not there.
func mapping(m *yaml.Node, key string) *yaml.Node {
	for i := 0; i+1 < len(m.Content); i += 2 {
		if m.Content[i].Value == key && m.Content[i+1].Kind == yaml.MappingNode {
			m.Content[i+1].Style = 0
			return m.Content[i+1]
		}
	}
	remove(m, key)
	inner := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	m.Content = append(m.Content, scalar(key), inner)
	return inner
}

func scalar(text string) *yaml.Node {
	n := &yaml.Node{}
	n.SetString(text)
	return n
}

func set(m *yaml.Node, key string, v *yaml.Node) {
	remove(m, key)
	m.Content = append(m.Content, scalar(key), v)
}

// places is where jobs stand, by what they are called in a cluster, and the
// manifests that there are.
type places struct {
	all      []manifest
	clusters []string // in the order of the jobs
	pods     map[packing.Owner]map[string]int
	used     map[string][]string     // clusters by namespace
	wide     map[string]bool         // kinds that are of no namespace, as their definitions say
	bears    map[string][]toleration // by cluster: what its jobs tolerate of it
	others   map[packing.Owner]int   // how many pods the manifest has, where that is another number
}

var errNoManifests = errors.New("the jobs of a .dot have no manifests to write: give the deployment as Kubernetes YAML or JSON")

func placesOf(p *format.Placement) (*places, error) {
	if len(p.Jobs) == 0 {
		return nil, errNoManifests
	}
	x := &places{pods: map[packing.Owner]map[string]int{}, used: map[string][]string{}, bears: map[string][]toleration{}}
	for _, j := range p.Jobs {
		if x.pods[j.Owner] == nil {
			x.pods[j.Owner] = map[string]int{}
		}
		x.pods[j.Owner][j.Cluster] += j.Pods
		for _, t := range j.Tolerations {
			x.bears[j.Cluster] = with(x.bears[j.Cluster], toleration(t))
		}
		x.clusters = with(x.clusters, j.Cluster)
		x.used[j.Owner.Namespace] = with(x.used[j.Owner.Namespace], j.Cluster)
	}
	var err error
	x.all, err = manifests(p.Files)
	slices.SortStableFunc(x.all, func(a, b manifest) int { return first(a.kind) - first(b.kind) })
	x.wide = map[string]bool{}
	for i := range x.all {
		if kind, scope := definedBy(&x.all[i]); scope == "Cluster" {
			x.wide[kind] = true
		}
	}
	p.Remarks = x.compare()
	return x, err
}

// first orders objects: namespaces and definitions of kinds come before what needs them.
func first(kind string) int {
	switch kind {
	case "Namespace":
		return 0
	case "CustomResourceDefinition":
		return 1
	}
	return 2
}

// definedBy returns the kind that a CustomResourceDefinition defines, and its scope.
func definedBy(m *manifest) (kind, scope string) {
	if m.kind != "CustomResourceDefinition" {
		return "", ""
	}
	spec := read(m.node).at("spec")
	return spec.in("names", "kind").text(), spec.at("scope").text()
}

// read returns what is written at a node.
func read(n *yaml.Node) *value {
	s, now := &source{}, tree{}
	(&checker{source: s}).copy(n, &now)
	return &value{node: &now, source: s}
}

// unnamespaced says whether an object is of no namespace.
func (x *places) unnamespaced(m *manifest) bool {
	return slices.Contains(unnamespaced, m.kind) || x.wide[m.kind]
}

// owner is what the jobs of a workload know it by.
func (m *manifest) owner() packing.Owner {
	return packing.Owner{Kind: m.kind, Namespace: m.namespace, Name: m.name.name}
}

// ofKarmada says whether an object is for Karmada itself, and not for its clusters.
func (m *manifest) ofKarmada() bool { return strings.HasPrefix(m.version, "policy.karmada.io/") }

// of returns the clusters that an object goes to, in order: a job where it stands,
// everything else wherever a job of its namespace stands, or to all where none does.
func (x *places) of(m *manifest) []string {
	if pods, isJob := x.pods[m.owner()]; isJob {
		return slices.Sorted(maps.Keys(pods))
	}
	if x.unnamespaced(m) || len(x.used[m.namespace]) == 0 {
		return x.clusters
	}
	return x.used[m.namespace]
}

// WriteManifests writes the manifests of each cluster, one cluster after the other.
func WriteManifests(w io.Writer, p *format.Placement) error {
	x, err := placesOf(p)
	if err != nil {
		return err
	}
	out := yaml.NewEncoder(w)
	out.SetIndent(2)
	for _, cluster := range x.clusters {
		for i := range x.all {
			m := &x.all[i]
			if m.ofKarmada() || !slices.Contains(x.of(m), cluster) {
				continue
			}
			n := bare(m.node)
			if pods, isJob := x.pods[m.owner()]; isJob {
				x.resize(n, m, pods[cluster])
			}
			meta := mapping(n, "metadata")
			set(mapping(meta, "labels"), clusterLabel, scalar(labelValue(cluster)))
			annotate(meta, [][2]string{{clusterLabel, cluster}})
			if groupHasPods(m.kind) {
				annotate(meta, p.Facts)
			}
			if err := out.Encode(n); err != nil {
				return err
			}
		}
	}
	return out.Close()
}

// compare notes which jobs have another number of pods than their manifests, such as by an
// autoscaler or a change of what-if, and says so.
func (x *places) compare() (remarks []string) {
	x.others = map[packing.Owner]int{}
	for i := range x.all {
		m := &x.all[i]
		spec, field := countOf(m.node, m.kind)
		if pods, isJob := x.pods[m.owner()]; isJob && field != "" {
			total, own := sum(pods), read(spec).at(field).number(1)
			if total != own {
				x.others[m.owner()] = own
				remarks = append(remarks, fmt.Sprintf("%s %s is written with %d %s, as placed: its manifest has %d",
					m.kind, show.Text(m.name.name), total, field, own))
			}
		}
	}
	return remarks
}

func sum(pods map[string]int) (n int) {
	for _, some := range pods {
		n += some
	}
	return n
}

// countOf is where a workload says how many pods it has; no field of a pod does.
func countOf(n *yaml.Node, kind string) (spec *yaml.Node, field string) {
	spec, field = mapping(n, "spec"), "replicas"
	switch kind {
	case "Pod":
		return nil, ""
	case "Job":
		field = "parallelism"
	case "CronJob":
		spec, field = mapping(mapping(spec, "jobTemplate"), "spec"), "parallelism"
	}
	return spec, field
}

// resize gives a workload so many pods.
func (x *places) resize(n *yaml.Node, m *manifest, pods int) {
	spec, field := countOf(n, m.kind)
	own, other := x.others[m.owner()]
	if field == "" || pods == read(spec).at(field).number(1) && !other {
		return
	}
	count := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!int", Value: strconv.Itoa(pods)}
	if other {
		count.LineComment = "the manifest has " + strconv.Itoa(own)
	}
	set(spec, field, count)
}

func annotate(meta *yaml.Node, facts [][2]string) {
	annotations := mapping(meta, "annotations")
	for _, fact := range facts {
		set(annotations, fact[0], scalar(fact[1]))
	}
}

// labelValue makes a label of a name: at most 63 letters, digits, dashes, dots and
// underscores.
func labelValue(text string) string {
	text = strings.Map(func(r rune) rune {
		if r == '-' || r == '.' || r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' {
			return r
		}
		return '-'
	}, text)
	return strings.Trim(text[:min(len(text), 63)], "-._")
}

// policy is a PropagationPolicy of Karmada.
type policy struct {
	APIVersion string `yaml:"apiVersion"`
	Kind       string `yaml:"kind"`
	Metadata   struct {
		Name        string            `yaml:"name"`
		Namespace   string            `yaml:"namespace,omitempty"`
		Annotations map[string]string `yaml:"annotations,omitempty"`
	} `yaml:"metadata"`
	Spec struct {
		Priority          int        `yaml:"priority,omitempty"` // above that of the policies of the input
		ResourceSelectors []selected `yaml:"resourceSelectors"`
		Placement         placement  `yaml:"placement"`
	} `yaml:"spec"`
}

type selected struct {
	APIVersion string `yaml:"apiVersion"`
	Kind       string `yaml:"kind"`
	Name       string `yaml:"name"`
	Namespace  string `yaml:"namespace,omitempty"`
}

type placement struct {
	ClusterAffinity    affinity     `yaml:"clusterAffinity"`
	ClusterTolerations []toleration `yaml:"clusterTolerations,omitempty"`
	ReplicaScheduling  *scheduling  `yaml:"replicaScheduling,omitempty"`
}

// with adds what is not among some yet.
func with[T comparable](some []T, one T) []T {
	if slices.Contains(some, one) {
		return some
	}
	return append(some, one)
}

type toleration struct {
	Key      string `yaml:"key,omitempty"`
	Operator string `yaml:"operator,omitempty"`
	Value    string `yaml:"value,omitempty"`
	Effect   string `yaml:"effect,omitempty"`
}

type affinity struct {
	ClusterNames []string `yaml:"clusterNames,flow"`
}

type scheduling struct {
	Type       string `yaml:"replicaSchedulingType"`
	Preference string `yaml:"replicaDivisionPreference"`
	Weights    struct {
		Static []weight `yaml:"staticWeightList"`
	} `yaml:"weightPreference"`
}

type weight struct {
	Target affinity `yaml:"targetCluster"`
	Weight int      `yaml:"weight"`
}

// WriteKarmada writes the manifests as they are and the policies of Karmada that
// bring them where they go: one for all objects of a namespace that go to the same
// clusters, and one for each job whose pods go to several.
func WriteKarmada(w io.Writer, p *format.Placement) error {
	x, err := placesOf(p)
	if err != nil {
		return err
	}
	out := yaml.NewEncoder(w)
	out.SetIndent(2)
	var policies []*policy
	index := map[string]*policy{}
	for i := range x.all {
		m := &x.all[i]
		if pods, isJob := x.pods[m.owner()]; isJob {
			x.resize(m.node, m, sum(pods))
		}
		if err := out.Encode(m.node); err != nil {
			return err
		}
		clusters := x.of(m)
		if m.ofKarmada() {
			continue
		}
		divided := x.divided(m, clusters)
		if x.unnamespaced(m) {
			m.namespace = ""
		}
		key := m.namespace + "\x00" + strings.Join(clusters, "\x00")
		if divided != nil {
			key += "\x00\x00" + m.kind + m.name.name
		}
		if index[key] == nil {
			index[key] = newPolicy(m, clusters, divided, p.Facts)
			bears := &index[key].Spec.Placement.ClusterTolerations
			for _, cluster := range clusters { // also for what the jobs there need, such as Services
				for _, one := range x.bears[cluster] {
					*bears = with(*bears, one)
				}
			}
			policies = append(policies, index[key])
		}
		index[key].Spec.ResourceSelectors = append(index[key].Spec.ResourceSelectors, selected{m.version, m.kind, m.name.name, m.namespace})
	}
	unique(policies)
	over := x.priority()
	for _, one := range policies {
		one.Spec.Priority = over
		if err := out.Encode(one); err != nil {
			return err
		}
	}
	return out.Close()
}

// priority is above that of all policies of the input, 0 without any.
func (x *places) priority() (over int) {
	for i := range x.all {
		if !x.all[i].ofKarmada() {
			continue
		}
		over = max(over, read(x.all[i].node).in("spec", "priority").number(0)+1)
	}
	return over
}

// divided says how the pods of a job are divided, nil where they stay together.
func (x *places) divided(m *manifest, clusters []string) *scheduling {
	pods, isJob := x.pods[m.owner()]
	if !isJob || len(clusters) < 2 {
		return nil
	}
	s := &scheduling{Type: "Divided", Preference: "Weighted"}
	for _, cluster := range clusters {
		s.Weights.Static = append(s.Weights.Static, weight{affinity{[]string{cluster}}, pods[cluster]})
	}
	return s
}

func newPolicy(m *manifest, clusters []string, divided *scheduling, facts [][2]string) *policy {
	p := &policy{APIVersion: "policy.karmada.io/v1alpha1", Kind: "PropagationPolicy"}
	if m.namespace == "" {
		p.Kind = "ClusterPropagationPolicy"
	}
	called := strings.Join(clusters, "-")
	if divided != nil {
		called = m.name.name
	}
	p.Metadata.Name = strings.ToLower(strings.ReplaceAll("berth-"+labelValue(called), "_", "-"))
	p.Metadata.Namespace = m.namespace
	p.Metadata.Annotations = map[string]string{}
	for _, fact := range facts {
		p.Metadata.Annotations[fact[0]] = fact[1]
	}
	p.Spec.Placement = placement{ClusterAffinity: affinity{clusters}, ReplicaScheduling: divided}
	return p
}

// unique tells policies of one name and namespace apart.
func unique(policies []*policy) {
	taken := map[name]bool{}
	for _, p := range policies {
		base := p.Metadata.Name
		for n := 2; taken[name{p.Metadata.Namespace, p.Metadata.Name}]; n++ {
			p.Metadata.Name = base + "-" + strconv.Itoa(n)
		}
		taken[name{p.Metadata.Namespace, p.Metadata.Name}] = true
	}
}

func groupHasPods(kind string) bool {
	return slices.Contains([]string{"Deployment", "StatefulSet", "ReplicaSet", "Job", "CronJob", "Pod"}, kind)
}
