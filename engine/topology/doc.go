// Package topology reads networks as the Internet Topology Zoo has them, in
// GraphML or GML (Knight et al., IEEE JSAC 29:9, 2011), as federations: places
// become clusters, lines become links. The latency of a link is estimated from
// the great circle between its ends, at 200 km a millisecond; its bandwidth is
// LinkSpeedRaw. What nodes have and cost is not in such files: it comes from
// another one.
package topology
