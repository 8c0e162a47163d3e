// Package topology reads networks of the Internet Topology Zoo, in GraphML or GML (Knight et al.,
// IEEE JSAC 29:9, 2011), as federations: places become clusters, lines become links. The latency of
// a link is estimated from the great circle between its ends, at 200 km per millisecond; its
// bandwidth is LinkSpeedRaw. The files contain neither resources nor prices of nodes, which must
// come from another file.
package topology
