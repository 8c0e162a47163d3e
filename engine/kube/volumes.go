package kube

import (
	"cmp"
	"maps"
	"slices"
)

// Binder binds each claim of pods to the smallest free volume that fits, like the volume binder of
// kube-scheduler. By default it may rebind an earlier claim to another volume to make room, so that
// the order of pods does not matter. If keeps is set it never rebinds, like the scheduler.
type Binder struct {
	objects *Objects
	keeps   bool     // never rebind
	free    []string // free volumes by ascending size
	taken   []*need  // need that each free volume is bound to; nil: none
	needs   map[needed][]*need
}

// needed identifies claims: one named claim, or all claims from one template of pods
// on one node.
type needed struct{ claim, node string }

// need is a claim of packed pods that needs a volume.
type need struct {
	claim  Claim
	nodes  []*Node // nodes of the pods that use it
	volume int     // index in Binder.free; -1: provisioned dynamically
}

// NewBinder returns a binder for the free volumes of a cluster. asScheduler forbids
// rebinding.
func NewBinder(o *Objects, asScheduler bool) *Binder {
	return &Binder{objects: o, keeps: asScheduler, needs: map[needed][]*need{}}
}

// collect fills b.free with the volumes that no claim has taken, smallest first.
func (b *Binder) collect() {
	o := b.objects
	for _, name := range slices.Sorted(maps.Keys(o.Volumes)) {
		if !o.Volumes[name].Taken {
			b.free = append(b.free, name)
		}
	}
	slices.SortStableFunc(b.free, func(v, w string) int { return cmp.Compare(o.Volumes[v].Size, o.Volumes[w].Size) })
	b.taken = make([]*need, len(b.free))
}

// binds reports whether pods of a shape have claims that may need an existing volume.
func (o *Objects) binds(s *Shape) bool {
	return slices.ContainsFunc(s.Uses, func(u Use) bool { return o.waits(o.claim(&u)) })
}

// waits reports whether a claim must be bound to an existing volume, at least on some
// nodes.
func (o *Objects) waits(c Claim) bool {
	class, known := o.Classes[c.Class]
	return c.Volume == "" && known && (!class.Made || class.Topologies != nil)
}

// makes reports whether the class provisions volumes that a node can use.
func (c *StorageClass) makes(n *Node) bool {
	return c.Made && (c.Topologies == nil || slices.ContainsFunc(c.Topologies, func(t AffinityTerm) bool { return t.holds(n) }))
}

// suits reports whether a volume can be bound to a claim, regardless of nodes.
func (o *Objects) suits(v *Volume, c *Claim) bool {
	return !v.Taken && v.Class == o.Classes[c.Class].Name && v.Size >= c.Size && c.Modes&^v.Modes == 0 && v.Block == c.Block &&
		(c.Marks == nil || c.Marks.Matches(v.Labels))
}

// reaches reports whether a volume can be used on a node.
func (v *Volume) reaches(n *Node) bool {
	return v.Affinity == nil || slices.ContainsFunc(v.Affinity, func(t AffinityTerm) bool { return t.holds(n) })
}

// Bind binds the claims of one more pod on a node. If volumes are lacking, it binds
// nothing and returns false.
func (b *Binder) Bind(s *Shape, n *Node) bool {
	uses := b.waiting(s)
	for i := range uses {
		if !b.bind(&uses[i], n) {
			for k := range i {
				b.release(&uses[k], n)
			}
			return false
		}
	}
	return true
}

// Release undoes Bind for a pod on a node. It frees the volumes of claims without
// other users.
func (b *Binder) Release(s *Shape, n *Node) {
	for _, u := range b.waiting(s) {
		b.release(&u, n)
	}
}

// Room returns how many pods of a shape, up to most, find volumes on a node.
func (b *Binder) Room(s *Shape, n *Node, most int) int {
	pods := 0
	for pods < most && b.Bind(s, n) {
		pods++
	}
	for range pods {
		b.Release(s, n)
	}
	return pods
}

// waiting returns the uses of a shape whose claims must be bound, smallest first.
func (b *Binder) waiting(s *Shape) (all []Use) {
	for _, u := range s.Uses {
		if u.Claim = b.objects.claim(&u); b.objects.waits(u.Claim) {
			all = append(all, u)
		}
	}
	slices.SortStableFunc(all, func(a, b Use) int { return cmp.Compare(a.Size, b.Size) })
	return all
}

// key returns the key in Binder.needs for a pod on node n.
func (u *Use) key(n *Node) needed {
	if u.Each {
		return needed{u.Name, n.Name}
	}
	return needed{claim: u.Name}
}

func (b *Binder) bind(u *Use, n *Node) bool {
	if b.taken == nil {
		b.collect()
	}
	key := u.key(n)
	if there := b.needs[key]; len(there) > 0 && !u.Each {
		return b.share(there[0], n)
	}
	x := &need{claim: u.Claim, nodes: []*Node{n}, volume: -1}
	if !b.augment(x, make([]bool, len(b.free))) {
		return false
	}
	b.needs[key] = append(b.needs[key], x)
	return true
}

// share adds a pod on another node to the users of a bound claim, rebinding the claim
// if necessary and allowed.
func (b *Binder) share(x *need, n *Node) bool {
	x.nodes = append(x.nodes, n)
	if b.reaches(x, n) {
		return true
	}
	if before := x.volume; !b.keeps {
		b.give(before, nil)
		if b.augment(x, make([]bool, len(b.free))) {
			return true
		}
		b.give(before, x)
	}
	x.nodes = x.nodes[:len(x.nodes)-1]
	return false
}

// reaches reports whether the volume of a need can be used on a node.
func (b *Binder) reaches(x *need, n *Node) bool {
	if x.volume < 0 {
		class := b.objects.Classes[x.claim.Class]
		return class.makes(n)
	}
	v := b.objects.Volumes[b.free[x.volume]]
	return v.reaches(n)
}

// give binds a free volume to a need; a nil need frees the volume, volume -1 binds
// none.
func (b *Binder) give(volume int, x *need) {
	if volume >= 0 {
		b.taken[volume] = x
	}
	if x != nil {
		x.volume = volume
	}
}

func (b *Binder) release(u *Use, n *Node) {
	key := u.key(n)
	all := b.needs[key]
	if len(all) == 0 {
		return // the pod was placed although volumes were lacking
	}
	x := all[len(all)-1]
	if at := slices.Index(x.nodes, n); at >= 0 {
		x.nodes = slices.Delete(x.nodes, at, at+1)
	}
	if len(x.nodes) == 0 {
		b.give(x.volume, nil)
		b.needs[key] = all[:len(all)-1]
	}
}

// augment binds a need to the smallest fitting free volume, otherwise provisions one
// if the class allows. If neither is possible and rebinding is allowed, it rebinds
// needs that hold a fitting volume (augmenting paths of a bipartite matching, Kuhn
// 1955).
func (b *Binder) augment(x *need, seen []bool) bool {
	fits := func(i int) bool {
		v := b.objects.Volumes[b.free[i]]
		return b.objects.suits(&v, &x.claim) && !slices.ContainsFunc(x.nodes, func(n *Node) bool { return !v.reaches(n) })
	}
	for i := range b.free {
		if b.taken[i] == nil && !seen[i] && fits(i) {
			b.give(i, x)
			return true
		}
	}
	class := b.objects.Classes[x.claim.Class]
	if !slices.ContainsFunc(x.nodes, func(n *Node) bool { return !class.makes(n) }) {
		b.give(-1, x)
		return true
	}
	if b.keeps {
		return false
	}
	for i := range b.free {
		if b.taken[i] == nil || seen[i] || !fits(i) {
			continue
		}
		seen[i] = true
		if b.augment(b.taken[i], seen) {
			b.give(i, x)
			return true
		}
	}
	return false
}
