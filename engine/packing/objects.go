package packing

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Objects are what a cluster has beside nodes and pods that decides where pods may be.
type Objects struct {
	Namespaces map[string]map[string]string // labels by name
	Claims     map[string]Claim             // by NAMESPACE/NAME
	Volumes    map[string]Volume            // by name
	Classes    map[string]StorageClass      // by name
	Quotas     []Quota
	Runtimes   map[string]Runtime // by name
	Listed     bool               // a cluster has listed its claims: it has no others
}

// Add adds the objects of another file; what is there already stays.
func (o *Objects) Add(more *Objects) {
	o.Namespaces = joined(o.Namespaces, more.Namespaces)
	o.Claims = joined(o.Claims, more.Claims)
	o.Volumes = joined(o.Volumes, more.Volumes)
	o.Classes = joined(o.Classes, more.Classes)
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

// Runtime is a RuntimeClass: what it adds to the pods that have it.
type Runtime struct {
	Overhead     Resources
	NodeSelector map[string]string
	Tolerations  []Toleration
}

// RuntimeUse names a RuntimeClass that the file of the pods does not have.
type RuntimeUse struct {
	Name, Field string // the field of the file that says so
	Line        int
}

// RunsAs adds what a RuntimeClass says. Overhead that the pod has already stays.
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
	for resource, amount := range r.Overhead {
		s.Requests[resource] += amount
		if limit := s.Limits[resource]; limit > 0 {
			s.Limits[resource] = limit + amount
		}
	}
}

// Claim is a PersistentVolumeClaim.
type Claim struct {
	Volume string // that it is bound to, "" if it is not yet
	Class  string // "" is that of the volume, or the default one
	Modes  Modes
	Size   int64    // bytes that its volume has at least
	Block  bool     // it wants a device without a file system
	Marks  Selector // chooses volumes by their labels; nil: any
	Waits  bool     // it is in a cluster, which has not bound it
	Broken string   // why no pod can use it, in the words of the scheduler; "" if some can
}

// Modes are access modes of a claim or a volume.
type Modes uint8

// The modes. Pods that use a claim with ReadWriteOnce alone are on one node, and one with
// ReadWriteOncePod is used by one pod.
const (
	ReadWriteOnce Modes = 1 << iota
	ReadOnlyMany
	ReadWriteMany
	ReadWriteOncePod
)

// Volume is a PersistentVolume.
type Volume struct {
	Affinity []Term // one of them holds of its node; nil: any node
	Labels   map[string]string
	Class    string
	Modes    Modes
	Size     int64 // bytes
	Block    bool  // a device without a file system
	Taken    bool  // by a claim, or not to be had
}

// StorageClass is a class of volumes.
type StorageClass struct {
	Name       string
	Topologies []Term // where volumes are made; nil: anywhere
	Made       bool   // volumes are made for claims; otherwise they wait for them
	Delayed    bool   // claims are bound when a pod uses them, not at once
}

// Use is a claim that the pods of a shape use.
type Use struct {
	Name  string // NAMESPACE/NAME; with Each the beginning, before the number of the pod
	Each  bool   // each pod has a claim of its own, from a template
	Claim        // what it is where the cluster has none of that name
	Field string // of the file that says so
	Line  int
}

// What the scheduler says of volumes, and what attaching them comes to.
const (
	InUse      = "node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod"
	NotFound   = "node(s) didn't find available persistent volumes to bind"
	otherNode  = "node(s) didn't match PersistentVolume's node affinity"
	otherZone  = "node(s) had no available volume zone"
	attachedTo = "node(s) cannot attach a ReadWriteOnce volume that is in use on another node"
)

// Unbound is what the scheduler says of a pod with a claim that does not wait for it, and is
// not bound.
const Unbound = "pod has unbound immediate PersistentVolumeClaims"

// Barred says why no node at all takes pods of a shape for the claims that they use, in the
// words of the scheduler; "" if some may.
func (o *Objects) Barred(s *Shape) string {
	unbound := ""
	for i := range s.Uses {
		u := &s.Uses[i]
		c, known := o.Claims[u.Name]
		class, classed := o.Classes[c.Class]
		switch {
		case u.Each:
		case !known && o.Listed && u.Modes == 0: // it is of no template
			return fmt.Sprintf("persistentvolumeclaim %q not found", strings.TrimPrefix(u.Name, s.Namespace+"/"))
		case c.Broken != "":
			return c.Broken
		case c.Waits && (c.Class == "" || classed && !class.Delayed || !classed && len(o.Classes) > 0):
			unbound = Unbound
		}
	}
	return unbound
}

// Missing says what of a claim that pods use is not known; "" if all is.
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

// claim returns what a cluster knows of a claim that pods use.
func (o *Objects) claim(u *Use) Claim {
	if c, known := o.Claims[u.Name]; known && !u.Each {
		return c
	}
	return u.Claim
}

// unreachable says why a pod that uses a claim cannot be on a node, "" if it can.
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
	return NotFound
}

// stable and beta names of the labels of regions and zones.
var zoneLabels = map[string]string{
	"topology.kubernetes.io/zone": "topology.kubernetes.io/zone", "topology.kubernetes.io/region": "topology.kubernetes.io/region",
	"failure-domain.beta.kubernetes.io/zone": "topology.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/region": "topology.kubernetes.io/region",
}

// zoned says whether a volume with some labels can be used on a node with others: a node
// without a region and a zone takes all.
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

// variants divides a group whose pods have a claim each, where the cluster knows some of
// these claims: pods with bound claims may have to run on other nodes.
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

// Ordinal is the shape of pod number k, with the claims of its own.
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
