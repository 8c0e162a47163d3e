package graph

import (
	gonum "gonum.org/v1/gonum/graph"
	"gonum.org/v1/gonum/graph/iterator"
)

// network is an undirected graph without parallel edges or loops. Its two Elements
// describe its nodes and edges.
type network struct {
	nodes, edges Elements
	index        map[string]int
	ends         [][2]int32
	pair         map[[2]int32]int32

	// Compressed adjacency, built on first use and dropped on change: the neighbours
	// of node i are neighbours[start[i]:start[i+1]], in the order of the edges.
	start             []int32
	neighbours, links []int32
}

func newNetwork(nodes, edges ElementKind) network {
	return network{
		nodes: Elements{kind: nodes}, edges: Elements{kind: edges},
		index: map[string]int{}, pair: map[[2]int32]int32{},
	}
}

func (n *network) addNode(id string) int {
	if i, ok := n.index[id]; ok {
		return i
	}
	i := n.nodes.add(id)
	n.index[id] = i
	n.start = nil
	return i
}

// addEdge returns the edge between a and b, and whether it had to be added.
func (n *network) addEdge(a, b int) (int, bool) {
	key := [2]int32{int32(min(a, b)), int32(max(a, b))}
	if k, ok := n.pair[key]; ok {
		return int(k), false
	}
	k := n.edges.add("")
	n.ends = append(n.ends, [2]int32{int32(a), int32(b)})
	n.pair[key] = int32(k)
	n.start = nil
	return k, true
}

// without returns a copy without some nodes and their edges, or without any edges.
func (n *network) without(gone map[int]bool, edges bool) network {
	rest := newNetwork(n.nodes.kind, n.edges.kind)
	for i, id := range n.nodes.ids {
		if !gone[i] {
			at := rest.addNode(id)
			rest.nodes.drawn[at] = n.nodes.drawn[i]
			rest.nodes.Copy(at, &n.nodes, i)
		}
	}
	for k, e := range n.ends {
		if a, b := int(e[0]), int(e[1]); edges && !gone[a] && !gone[b] {
			at, _ := rest.addEdge(rest.index[n.nodes.ids[a]], rest.index[n.nodes.ids[b]])
			rest.edges.drawn[at] = n.edges.drawn[k]
			rest.edges.Copy(at, &n.edges, k)
		}
	}
	return rest
}

func (n *network) edge(a, b int) int {
	if k, ok := n.pair[[2]int32{int32(min(a, b)), int32(max(a, b))}]; ok {
		return int(k)
	}
	return -1
}

// Ends returns the two nodes of an edge.
func (n *network) Ends(edge int) (a, b int) { return int(n.ends[edge][0]), int(n.ends[edge][1]) }

// Neighbours returns the nodes that edges join to node i, and these edges, both in the order of the
// edges. Callers must not change the slices.
func (n *network) Neighbours(i int) (nodes, edges []int32) {
	if n.start == nil {
		n.connect()
	}
	from, to := n.start[i], n.start[i+1]
	return n.neighbours[from:to:to], n.links[from:to:to]
}

func (n *network) connect() {
	n.start = make([]int32, n.nodes.count+1)
	for _, e := range n.ends {
		n.start[e[0]+1]++
		n.start[e[1]+1]++
	}
	for i := range n.nodes.count {
		n.start[i+1] += n.start[i]
	}
	n.neighbours = make([]int32, 2*len(n.ends))
	n.links = make([]int32, 2*len(n.ends))
	next := append([]int32(nil), n.start[:n.nodes.count]...)
	for k, e := range n.ends {
		for side, i := range e {
			n.neighbours[next[i]], n.links[next[i]] = e[1-side], int32(k)
			next[i]++
		}
	}
}

// Node and Edge represent elements in gonum's algorithms.
type (
	Node int64
	Edge struct{ F, T Node }
)

// ID returns the number of the node.
func (n Node) ID() int64 { return int64(n) }

// From and To return the ends. Edges have no direction.
func (e Edge) From() gonum.Node         { return e.F }
func (e Edge) To() gonum.Node           { return e.T }
func (e Edge) ReversedEdge() gonum.Edge { return Edge{F: e.T, T: e.F} }

// Node returns node id, or nil.
func (n *network) Node(id int64) gonum.Node {
	if id < 0 || id >= int64(n.nodes.count) {
		return nil
	}
	return Node(id)
}

// Nodes returns all nodes in file order.
func (n *network) Nodes() gonum.Nodes {
	all := make([]gonum.Node, n.nodes.count)
	for i := range all {
		all[i] = Node(i)
	}
	return iterator.NewOrderedNodes(all)
}

// From returns the neighbours of a node, in the order of the edges.
func (n *network) From(id int64) gonum.Nodes {
	neighbours, _ := n.Neighbours(int(id))
	nodes := make([]gonum.Node, len(neighbours))
	for i, j := range neighbours {
		nodes[i] = Node(j)
	}
	return iterator.NewOrderedNodes(nodes)
}

// HasEdgeBetween reports whether an edge joins two nodes.
func (n *network) HasEdgeBetween(x, y int64) bool { return n.edge(int(x), int(y)) >= 0 }

// Edge returns the edge between two nodes, or nil.
func (n *network) Edge(u, v int64) gonum.Edge { return n.EdgeBetween(u, v) }

// EdgeBetween returns the edge between two nodes, or nil.
func (n *network) EdgeBetween(x, y int64) gonum.Edge {
	if !n.HasEdgeBetween(x, y) {
		return nil
	}
	return Edge{F: Node(x), T: Node(y)}
}
