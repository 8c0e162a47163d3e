// Package topology reads graphs in other syntaxes than DOT, as deployments and as federations:
// GraphML, GML and GEXF, node-link JSON of networkx, JSON of Cytoscape, dependencies of Jaeger,
// flowcharts of Mermaid, tables of edges, and matrices of latencies.
//
// A syntax only collects nodes and edges with their attributes; [dot.Graph] interprets these.
// Networks of the Internet Topology Zoo (Knight et al., IEEE JSAC 29:9, 2011) have coordinates
// instead of latencies. The latency of a link is estimated from the great circle between its ends,
// at 200 km per millisecond; its bandwidth is LinkSpeedRaw.
package topology
