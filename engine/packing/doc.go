// Package packing decides whether pods fit on the nodes of a cluster, as the
// scheduler of Kubernetes would: by resources, node selectors and required node
// affinity, taints and tolerations, required affinity and anti-affinity to other
// pods by any topology, and topology spread that must not be broken.
//
// A [Cluster] is made of nodes and of the pods that run there. [Cluster.Pack]
// answers with one of three: a packing, a proof that there is none (a bound, or
// a search that looked at everything), or that it found none within its steps.
// Why a pod does not fit is said in the words of kubectl describe pod.
package packing
