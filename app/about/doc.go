// Package about is the page that explains how the placement of jobs is found,
// with the symbols of M. Lavacca, Scheduling Jobs on Federation of Kubernetes
// Clusters (MSc thesis, Politecnico di Torino, 2020), chapter 4.
package about
