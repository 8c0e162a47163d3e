// Package packing decides whether pods fit on the nodes of a cluster, with the
// filters of kube-scheduler: resources, node selectors and required node affinity,
// taints and tolerations, host ports, volumes, required affinity and anti-affinity to
// other pods in any topology, and topology spread constraints with DoNotSchedule.
//
// A [Cluster] consists of nodes and the pods running on them. [Packer.Pack] returns a
// packing, a proof that none exists (a bound or an exhaustive search), or that its
// search budget ended without either. It explains why a pod does not fit in the words
// of kubectl describe pod.
package packing
