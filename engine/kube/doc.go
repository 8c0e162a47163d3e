// Package kube is kube-scheduler v1.34 without a cluster: the objects of Kubernetes that decide
// where pods can run, one scheduling cycle, and the questions that it answers.
//
// A [ClusterState] holds nodes and the pods on them. Its cycle filters the nodes for a pod
// (resources, node selectors and affinity, taints, host ports, volumes, affinity and anti-affinity
// to other pods, topology spread), scores the feasible nodes with the plug-ins and weights of a
// [Profile], and preempts pods of lower priority if no node is feasible. Among nodes with equal
// scores kube-scheduler chooses at random, and above 100 nodes it evaluates only some. The cycle
// evaluates all nodes and chooses the first by name, so that the same input gives the same answer.
// Messages have the wording of kubectl describe pod.
//
// The questions about a [Cluster] are: why a pod is pending and what would help ([Pending]), where
// the pods of a drained node go ([Drain]), which nodes can be emptied ([Consolidate]), which nodes
// to add ([Cluster.Provision]), and where the pods of new workloads would go ([Would]). A [Packer]
// uses the same filters to find out whether pods can fit at all, in any order and on any nodes. It
// returns a packing, a proof that none exists (by a bound or an exhaustive search), or neither if
// its search budget ends first.
package kube
