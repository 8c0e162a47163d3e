// Package flow computes a minimum-cost flow among the maximum flows of a network, by cost scaling
// (Goldberg, "An Efficient Implementation of a Scaling Minimum-Cost Flow Algorithm", Journal of
// Algorithms 22, 1997), and re-optimises it after changes.
//
// A [Network] has a [Source] and a [Sink], nodes and arcs with whole capacities and costs. It is
// solved as a minimum-cost circulation: an arc from the sink back to the source is so cheap that as
// much flow as possible goes through it. A flow is ε-optimal for prices of the nodes if no residual
// arc has a reduced cost below −ε; if ε is less than 1 divided by the number of nodes, the flow is
// optimal. Each phase divides ε: it saturates the arcs whose reduced cost is negative, then pushes
// and relabels until flow is conserved. After many relabels it updates all prices by the distances
// of the nodes from the nearest deficit.
//
// A changed network keeps its flow and prices and starts with the smallest ε for which they are
// still ε-optimal, so it needs few phases if few costs changed. All numbers are whole, so the same
// network gives the same flow on every platform.
package flow
