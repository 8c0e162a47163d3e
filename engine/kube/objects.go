package kube

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Objects are the objects of a cluster, other than nodes and pods, that affect where pods can run.
type Objects struct {
	Namespaces map[string]map[string]string // labels by name
	Claims     map[string]Claim             // by NAMESPACE/NAME
	Volumes    map[string]Volume            // by name
	Classes    map[string]StorageClass      // by name
	Quotas     []Quota
	Runtimes   map[string]Runtime        // by name
	Drivers    map[string]map[string]int // by node and driver: the maximum number of volumes (CSINode)
	Listed     bool                      // the claims are from a live cluster, so a missing claim does not exist
}

// Add adds the objects of another file. Existing objects have precedence.
func (o *Objects) Add(more *Objects) {
	o.Namespaces = joined(o.Namespaces, more.Namespaces)
	o.Claims = joined(o.Claims, more.Claims)
	o.Volumes = joined(o.Volumes, more.Volumes)
	o.Classes = joined(o.Classes, more.Classes)
	o.Drivers = joined(o.Drivers, more.Drivers)
	o.Runtimes, o.Listed = joined(o.Runtimes, more.Runtimes), o.Listed || more.Listed
	for _, q := range more.Quotas {
		if !slices.ContainsFunc(o.Quotas, func(p Quota) bool { return p.Namespace == q.Namespace && p.Name == q.Name }) {
			o.Quotas = append(slices.Clip(o.Quotas), q)
		}
	}
}

func joined[V any](a, b map[string]V) map[string]V {
	if len(b) == 0 {
		return a
	}
	all := maps.Clone(b)
	maps.Copy(all, a)
	return all
}

// Runtime is a RuntimeClass: its additions to pods.
type Runtime struct {
	Overhead     Resources
	NodeSelector map[string]string
	Tolerations  []Toleration
}

// RuntimeUse is a reference to a RuntimeClass that is not in the same file.
type RuntimeUse struct {
	Name, Field string // path of the referring field
	Line        int
}

// RunsAs applies a RuntimeClass to the shape; with overhead it also adds the class's
// overhead.
func (s *Shape) RunsAs(r *Runtime, overhead bool) {
	if len(r.NodeSelector) > 0 {
		own := s.NodeSelector
		s.NodeSelector = maps.Clone(r.NodeSelector)
		maps.Copy(s.NodeSelector, own)
	}
	s.Tolerations = append(slices.Clip(s.Tolerations), r.Tolerations...)
	if !overhead {
		return
	}
	s.Requests, s.Limits = maps.Clone(s.Requests), maps.Clone(s.Limits)
	r.Overhead.AddTo(s.Requests, s.Limits)
}

// AddTo adds the overhead r of pods to their requests, and to each limit that is set.
func (r Resources) AddTo(requests, limits Resources) {
	for resource, amount := range r {
		requests[resource] += amount
		if limit := limits[resource]; limit > 0 {
			limits[resource] = limit + amount
		}
	}
}

// Claim is a PersistentVolumeClaim.
type Claim struct {
	Volume string // bound volume; "" if not bound yet
	Class  string // "" means the volume's class or the default class
	Modes  Modes
	Size   int64    // minimum size of its volume in bytes
	Block  bool     // requires a raw block device
	Marks  Selector // selects volumes by labels; nil: any
	Waits  bool     // pending in a live cluster
	Broken string   // scheduler's reason why no pod can use it; "" if usable
}

// Modes is a set of access modes of a claim or a volume.
type Modes uint8

// The access modes. All pods that use a claim with only ReadWriteOnce must run on one
// node; only one pod may use a claim with ReadWriteOncePod.
const (
	ReadWriteOnce Modes = 1 << iota
	ReadOnlyMany
	ReadWriteMany
	ReadWriteOncePod
)

// Volume is a PersistentVolume.
type Volume struct {
	Affinity []AffinityTerm // at least one term must hold for its node; nil: any node
	Labels   map[string]string
	Class    string
	Modes    Modes
	Size     int64  // bytes
	Block    bool   // a raw block device
	Taken    bool   // bound to a claim, or not available
	Driver   string // CSI driver; "" for other volumes
}

// StorageClass is a StorageClass: it decides where and when volumes are provisioned for claims.
type StorageClass struct {
	Name       string
	Topologies []AffinityTerm // where volumes can be provisioned; nil: anywhere
	Made       bool           // provisions volumes dynamically; otherwise claims need existing volumes
	Driver     string         // driver that provisions its volumes
	Delayed    bool           // binds claims when a pod uses them (WaitForFirstConsumer)
}

// Use is a reference of a shape to a volume claim.
type Use struct {
	Name  string // NAMESPACE/NAME; with Each, the prefix before the pod's number
	Each  bool   // each pod has its own claim, from a template
	Claim        // the template, or assumed if the cluster has no claim of that name
	Field string // path of the referring field
	Line  int
}

// The scheduler's messages about volumes. attachedTo is Berth's own message about a volume that is
// in use on another node.
const (
	inUse      = "node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod"
	notFound   = "node(s) didn't find available persistent volumes to bind"
	otherNode  = "node(s) didn't match PersistentVolume's node affinity"
	otherZone  = "node(s) had no available volume zone"
	attachedTo = "node(s) cannot attach a ReadWriteOnce volume that is in use on another node"
)

// Unbound is the scheduler's message about a pod with an unbound claim that does not
// wait for a pod (volumeBindingMode Immediate).
const Unbound = "pod has unbound immediate PersistentVolumeClaims"

// barred returns the scheduler's message if the claims of a shape keep its pods off
// every node, otherwise "".
func (o *Objects) barred(s *Shape) string {
	unbound := ""
	for i := range s.Uses {
		u := &s.Uses[i]
		c, known := o.Claims[u.Name]
		class, classed := o.Classes[c.Class]
		switch {
		case u.Each:
		case !known && o.Listed && u.Modes == 0: // not from a template
			return fmt.Sprintf("persistentvolumeclaim %q not found", strings.TrimPrefix(u.Name, s.Namespace+"/"))
		case c.Broken != "":
			return c.Broken
		case c.Waits && (c.Class == "" || classed && !class.Delayed || !classed && len(o.Classes) > 0):
			unbound = Unbound
		}
	}
	return unbound
}

// Missing describes the missing object that is needed to evaluate a claim; "" if nothing is
// missing.
func (o *Objects) Missing(u *Use) string {
	c, known := o.Claims[u.Name]
	switch {
	case u.Each, !known && o.Listed:
		return ""
	case !known:
		return "the claim " + u.Name + " is not in the input: every node is taken to reach its volume"
	case c.Volume == "" && c.Waits && c.Class != "" && len(o.Classes) == 0:
		return "the StorageClass " + c.Class + " of the claim " + u.Name + " is not in the input: every node is taken to reach its volume"
	case c.Volume == "":
		return ""
	}
	if _, known := o.Volumes[c.Volume]; known {
		return ""
	}
	return "the volume " + c.Volume + " of the claim " + u.Name + " is not in the input: every node is taken to reach it"
}

// claim returns the claim that a use refers to, from the cluster or the use's own
// description.
func (o *Objects) claim(u *Use) Claim {
	if c, known := o.Claims[u.Name]; known && !u.Each {
		return c
	}
	return u.Claim
}

// attached is a volume that a node attaches for a pod.
type attached struct{ Driver, Volume string }

// attaches returns the CSI volumes that a node attaches for pods of a shape, each once. It returns
// nil if no node states a limit. An unbound claim counts for the volume that it will get.
func (o *Objects) attaches(s *Shape) (all []attached) {
	if len(o.Drivers) == 0 {
		return nil
	}
	for i := range s.Uses {
		c := o.claim(&s.Uses[i])
		one := attached{o.Classes[c.Class].Driver, s.Uses[i].Name}
		if c.Volume != "" {
			one = attached{o.Volumes[c.Volume].Driver, c.Volume}
		}
		if one.Driver != "" && !slices.Contains(all, one) {
			all = append(all, one)
		}
	}
	return all
}

// Unreachable returns the scheduler's message if pods of a shape cannot use their
// volumes on a node, otherwise "".
func (o *Objects) Unreachable(s *Shape, n *Node) string {
	for i := range s.Uses {
		c := o.claim(&s.Uses[i])
		if why := o.unreachable(&c, n); why != "" {
			return why
		}
	}
	return ""
}

// unreachable returns the scheduler's message if a pod with the claim cannot run on a
// node, otherwise "".
func (o *Objects) unreachable(c *Claim, n *Node) string {
	if c.Volume != "" {
		v, known := o.Volumes[c.Volume]
		switch {
		case !known:
			return ""
		case !v.reaches(n):
			return otherNode
		case !zoned(v.Labels, n.Labels):
			return otherZone
		}
		return ""
	}
	class, known := o.Classes[c.Class]
	if !known || class.makes(n) {
		return ""
	}
	for _, v := range o.Volumes {
		if o.suits(&v, c) && v.reaches(n) {
			return ""
		}
	}
	return notFound
}

// zoneLabels maps the stable and the beta labels of zones and regions to the stable
// ones.
var zoneLabels = map[string]string{
	"topology.kubernetes.io/zone": "topology.kubernetes.io/zone", "topology.kubernetes.io/region": "topology.kubernetes.io/region",
	"failure-domain.beta.kubernetes.io/zone": "topology.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/region": "topology.kubernetes.io/region",
}

// zoned reports whether the zone labels of a volume allow its use on a node. A node
// without zone and region labels accepts any volume.
func zoned(volume, node map[string]string) bool {
	constrained := false
	for key := range zoneLabels {
		_, has := node[key]
		constrained = constrained || has
	}
	if !constrained {
		return true
	}
	for key, stable := range zoneLabels {
		of, has := volume[key]
		if !has {
			continue
		}
		at, ok := node[key]
		if !ok {
			at, ok = node[stable]
		}
		if !ok || !slices.Contains(strings.Split(of, "__"), at) {
			return false
		}
	}
	return true
}

// variants splits off the pods of a group whose own claims exist in the cluster: a
// bound claim may restrict its pod to certain nodes. The first group has the
// remaining pods.
func (o *Objects) variants(g Group) []Group {
	if g.Shape == nil || !slices.ContainsFunc(g.Shape.Uses, func(u Use) bool { return u.Each }) {
		return []Group{g}
	}
	rest := g
	all := []Group{{}}
	for k := range g.Pods {
		own := g.Shape.Ordinal(k)
		if slices.ContainsFunc(own.Uses, func(u Use) bool {
			_, there := o.Claims[u.Name]
			return there && !slices.ContainsFunc(g.Shape.Uses, func(v Use) bool { return v.Name == u.Name })
		}) {
			rest.Pods--
			all = append(all, Group{Name: g.Name, Shape: own, Pods: 1})
		}
	}
	all[0] = rest
	return all
}

// Ordinal returns the shape of pod number k, with its own claims instead of templates.
func (s *Shape) Ordinal(k int) *Shape {
	if !slices.ContainsFunc(s.Uses, func(u Use) bool { return u.Each }) {
		return s
	}
	own := *s
	own.Uses = slices.Clone(s.Uses)
	for i := range own.Uses {
		if u := &own.Uses[i]; u.Each {
			u.Name, u.Each = u.Name+strconv.Itoa(k), false
		}
	}
	return &own
}
