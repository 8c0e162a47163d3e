// Package replay schedules pods one by one like kube-scheduler: it takes them in the
// order of their queue, filters the nodes, scores the feasible ones with the plug-ins
// and weights of a [Profile], and preempts pods of lower priority if no node is
// feasible. On this basis it answers questions about a cluster: why a pod is pending
// and what would help ([Pending]), where the pods of a drained node go ([Drain]), which
// nodes can be emptied ([Consolidate]), and which nodes to add ([Cluster.Provision]).
//
// Among nodes with equal scores, kube-scheduler chooses at random; the replay takes
// the first by name, so that the same input gives the same answer. The replay
// evaluates all nodes; above 100 nodes kube-scheduler evaluates only a part.
package replay
