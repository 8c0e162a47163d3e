// Package flow computes flows of minimum cost among the largest flows of a network, by cost
// scaling (Goldberg, "An Efficient Implementation of a Scaling Minimum-Cost Flow Algorithm",
// Journal of Algorithms 22, 1997), and again after changes from where it was.
//
// A [Network] has a [Source] and a [Sink], nodes and arcs with whole capacities and costs. It
// is solved as a circulation of minimum cost: an arc from the sink back to the source is so
// cheap that as much as possible flows through it. A flow is ε-optimal for prices of the nodes
// if no residual arc has a reduced cost below −ε; with ε below one part in the number of nodes
// it is optimal. Each phase divides ε: it saturates the arcs that are too cheap, and pushes
// and relabels until flow is conserved, and now and then updates all prices by how far nodes
// are from where flow is missing.
//
// A network that has changed keeps its flow and prices, and begins with the ε for which these
// still hold: the fewer costs change, the fewer phases there are. All numbers are whole, so
// that the same network gives the same flow everywhere.
package flow
