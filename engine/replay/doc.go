// Package replay does what kube-scheduler does, pod by pod: it takes the pods in the
// order of their queue, filters the nodes, scores those that are left with the plug-ins
// and weights of a [Profile], and preempts pods of lower priority where no node is left.
// On top of that it answers what people ask of a cluster: why a pod is pending and what
// would help ([Pending]), where the pods of a node go that is drained ([Drain]), and
// which nodes can be emptied ([Consolidate]).
//
// Where kube-scheduler chooses at random among nodes with equal scores, the replay takes
// the first by name, so that the same input gives the same answer. It looks at all nodes,
// also above 100 nodes, where kube-scheduler looks at a part of them.
package replay
