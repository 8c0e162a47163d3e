package graph

import "slices"

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

// addEdge returns the edge between a and b and whether it is new.
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

func (n *network) edge(a, b int) int {
	if k, ok := n.pair[[2]int32{int32(min(a, b)), int32(max(a, b))}]; ok {
		return int(k)
	}
	return -1
}

// adjacent returns the neighbours of node i and the edges to them.
func (n *network) adjacent(i int) (neighbours, edges []int32) {
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

// islands returns the connected components over the edges that count as lists of node
// numbers in file order, the component of the first node first. It takes O(m + n log n)
// time.
func (n *network) islands(counts func(a, b int) bool) (islands [][]int) {
	seen := make([]bool, n.nodes.count)
	for first := range seen {
		if seen[first] {
			continue
		}
		seen[first] = true
		island := []int{first}
		for at := 0; at < len(island); at++ {
			neighbours, _ := n.adjacent(island[at])
			for _, next := range neighbours {
				if !seen[next] && counts(island[at], int(next)) {
					seen[next] = true
					island = append(island, int(next))
				}
			}
		}
		slices.Sort(island)
		islands = append(islands, island)
	}
	return islands
}
