package manifest

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	yaml "go.yaml.in/yaml/v3"

	"berth/engine/budget"
	"berth/engine/input/format"
	"berth/engine/kube"
	"berth/engine/show"
)

// clusterLabel is a label on each manifest written for one cluster, so that kubectl --context eu
// apply -l berth/cluster=eu -f FILE applies only the manifests for that cluster. Its value is a
// valid label made from the cluster's name. The annotation with the same key holds the name itself.
const clusterLabel = "berth/cluster"

// manifest is an object to be written.
type manifest struct {
	identity
	version string
	node    *yaml.Node
}

// noManifest are kinds that users do not write: objects that clusters create themselves, and
// clusters.
var noManifest = []string{"Node", "Cluster", "Event", "Endpoints", "EndpointSlice", "ControllerRevision", "Lease"}

// unnamespaced are kinds outside of namespaces, which a PropagationPolicy cannot
// select.
var unnamespaced = []string{
	"Namespace", "ClusterRole", "ClusterRoleBinding", "CustomResourceDefinition", "PersistentVolume", "StorageClass", "PriorityClass",
	"IngressClass", "RuntimeClass", "ValidatingWebhookConfiguration", "MutatingWebhookConfiguration", "APIService", "ClusterPropagationPolicy",
}

// given are metadata fields that the API server sets.
var given = []string{"uid", "resourceVersion", "creationTimestamp", "managedFields", "generation", "selfLink"}

// manifests returns the objects of files that users write, without objects and fields
// that clusters create.
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

// bare copies a node without comments, anchors and aliases.
func bare(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return bare(n.Alias)
	}
	c := &yaml.Node{Kind: n.Kind, Style: n.Style &^ yaml.FlowStyle, Tag: n.Tag, Value: n.Value}
	for _, child := range n.Content {
		c.Content = append(c.Content, bare(child))
	}
	if c.Kind != yaml.ScalarNode && len(c.Content) == 0 {
		c.Style = yaml.FlowStyle // write {} and []
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

// mapping returns the mapping under a key, creating it if it is missing.
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

// places holds the manifests and the placement of jobs by their owners.
type places struct {
	all      []manifest
	clusters []string                      // in order of the jobs
	pods     map[kube.Owner]map[string]int // number of pods by owner and cluster
	used     map[string][]string           // clusters with jobs, by namespace
	wide     map[string]bool               // custom kinds with scope Cluster
	bears    map[string][]kube.Toleration  // by cluster: the cluster taints that its jobs tolerate
}

func placesOf(p *format.Placement) (*places, error) {
	if len(p.Jobs) == 0 {
		return nil, errors.New("the jobs of a .dot have no manifests to write: give the deployment as Kubernetes YAML or JSON")
	}
	x := &places{pods: map[kube.Owner]map[string]int{}, used: map[string][]string{}, bears: map[string][]kube.Toleration{}}
	for _, j := range p.Jobs {
		if x.pods[j.Owner] == nil {
			x.pods[j.Owner] = map[string]int{}
		}
		x.pods[j.Owner][j.Cluster] += j.Pods
		for _, t := range j.Tolerations {
			x.bears[j.Cluster] = with(x.bears[j.Cluster], t)
		}
		x.clusters = with(x.clusters, j.Cluster)
		x.used[j.Owner.Namespace] = with(x.used[j.Owner.Namespace], j.Cluster)
	}
	var err error
	x.all, err = manifests(p.Files)
	slices.SortStableFunc(x.all, func(a, b manifest) int { return first(a.kind) - first(b.kind) })
	x.wide = map[string]bool{}
	for i := range x.all {
		if x.all[i].kind != "CustomResourceDefinition" {
			continue
		}
		if spec := read(x.all[i].node).at("spec"); spec.at("scope").text() == "Cluster" {
			x.wide[spec.in("names", "kind").text()] = true
		}
	}
	p.Remarks = x.compare()
	return x, err
}

// first returns a sort key that puts namespaces and definitions of kinds before the objects that
// need them.
func first(kind string) int {
	switch kind {
	case "Namespace":
		return 0
	case "CustomResourceDefinition":
		return 1
	}
	return 2
}

// read returns a node as a value, so that the functions for parsed objects can read a manifest that
// Berth rewrites. It discards errors.
func read(n *yaml.Node) *value {
	s, now := &source{budget: budget.New(budget.Limits{})}, tree{}
	(&checker{source: s}).check(n, &now)
	return &value{node: &now, source: s.here()}
}

// unnamespaced reports whether the object's kind is outside of namespaces.
func (x *places) unnamespaced(m *manifest) bool {
	return slices.Contains(unnamespaced, m.kind) || x.wide[m.kind]
}

// ofKarmada reports whether an object configures Karmada itself instead of running on
// clusters.
func (m *manifest) ofKarmada() bool { return strings.HasPrefix(m.version, "policy.karmada.io/") }

// of returns the clusters for an object, in order. A workload goes to the clusters of its pods. Any
// other object goes to the clusters with jobs of its namespace, or to all clusters if there are
// none.
func (x *places) of(m *manifest) []string {
	if pods, isJob := x.pods[m.owner()]; isJob {
		return slices.Sorted(maps.Keys(pods))
	}
	if x.unnamespaced(m) || len(x.used[m.namespace]) == 0 {
		return x.clusters
	}
	return x.used[m.namespace]
}

// WriteManifests writes the manifests for each cluster, one cluster after the other.
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
			if slices.Contains([]string{"Deployment", "StatefulSet", "ReplicaSet", "Job", "CronJob", "Pod"}, m.kind) {
				annotate(meta, p.Facts)
			}
			if err := out.Encode(n); err != nil {
				return err
			}
		}
	}
	return out.Close()
}

// compare returns a remark for each job whose placed number of pods differs from the
// manifest, for instance because of an autoscaler or a what-if change.
func (x *places) compare() (remarks []string) {
	for i := range x.all {
		m := &x.all[i]
		spec, field := countOf(m.node, m.kind)
		if pods, isJob := x.pods[m.owner()]; isJob && field != "" {
			if total, own := sum(pods), read(spec).at(field).number(1); total != own {
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

// countOf returns the field that sets the number of pods and the mapping it is in;
// field is "" for a Pod.
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

// resize sets the number of pods of a workload.
func (x *places) resize(n *yaml.Node, m *manifest, pods int) {
	spec, field := countOf(n, m.kind)
	if field == "" {
		return
	}
	own := read(spec).at(field).number(1)
	other := own != sum(x.pods[m.owner()])
	if pods == own && !other {
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

var notInLabel = regexp.MustCompile(`[^-._0-9A-Za-z]`)

// labelValue converts a name to a valid label value of at most 63 letters, digits,
// dashes, dots and underscores.
func labelValue(text string) string {
	text = notInLabel.ReplaceAllString(text, "-")
	return strings.Trim(text[:min(len(text), 63)], "-._")
}

// policy is a PropagationPolicy of Karmada, in the form in which it is written as YAML.
type policy struct {
	APIVersion string `yaml:"apiVersion"`
	Kind       string
	Metadata   struct {
		Name        string
		Namespace   string            `yaml:"namespace,omitempty"`
		Annotations map[string]string `yaml:"annotations,omitempty"`
	}
	Spec struct {
		Priority          int        `yaml:"priority,omitempty"` // higher than the priority of every policy in the input
		ResourceSelectors []selected `yaml:"resourceSelectors"`
		Placement         placement
	}
}

type selected struct {
	APIVersion string `yaml:"apiVersion"`
	Kind       string
	Name       string
	Namespace  string `yaml:"namespace,omitempty"`
}

type placement struct {
	ClusterAffinity    affinity          `yaml:"clusterAffinity"`
	ClusterTolerations []kube.Toleration `yaml:"clusterTolerations,omitempty"`
	ReplicaScheduling  *scheduling       `yaml:"replicaScheduling,omitempty"`
}

// with appends one unless some contains it.
func with[T comparable](some []T, one T) []T {
	if slices.Contains(some, one) {
		return some
	}
	return append(some, one)
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
	Weight int
}

// WriteKarmada writes the manifests, changing only numbers of pods, and the Karmada policies that
// propagate them: one for all objects of a namespace with the same clusters, and one for each job
// whose pods are divided among clusters.
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
			for _, cluster := range clusters { // including objects that the jobs need, such as Services
				for _, one := range x.bears[cluster] {
					*bears = with(*bears, one)
				}
			}
			policies = append(policies, index[key])
		}
		index[key].Spec.ResourceSelectors = append(index[key].Spec.ResourceSelectors, selected{m.version, m.kind, m.name.name, m.namespace})
	}
	distinct(policies)
	over := x.priority()
	for _, one := range policies {
		one.Spec.Priority = over
		if err := out.Encode(one); err != nil {
			return err
		}
	}
	return out.Close()
}

// priority returns a priority above all policies of the input, or 0 if it has none.
func (x *places) priority() (over int) {
	for i := range x.all {
		if !x.all[i].ofKarmada() {
			continue
		}
		over = max(over, read(x.all[i].node).in("spec", "priority").number(0)+1)
	}
	return over
}

// divided returns the division of a job's pods among clusters, or nil if they are in
// one cluster.
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

// distinct renames policies with the same name and namespace.
func distinct(policies []*policy) {
	taken := map[name]bool{}
	for _, p := range policies {
		base := p.Metadata.Name
		for n := 2; taken[name{p.Metadata.Namespace, p.Metadata.Name}]; n++ {
			p.Metadata.Name = base + "-" + strconv.Itoa(n)
		}
		taken[name{p.Metadata.Namespace, p.Metadata.Name}] = true
	}
}
