// Package about is the page that explains how the three systems decide, with
// the symbols of their sources: M. Lavacca, Scheduling Jobs on Federation of
// Kubernetes Clusters (MSc thesis, Politecnico di Torino, 2020), chapter 4;
// G. Farias da Silva et al., QoS-driven scheduling in the cloud (2020); and
// M. Thiyyakat et al., Megha.
package about
