package manifest

import "berth/engine/diag"

// The diagnostics of this package.
var (
	notYAML         = &diag.Code{Name: "not-yaml", Words: "this is not YAML: %s"}
	brokenStream    = &diag.Code{Name: diag.IsNotJSON, Words: "%v; write the objects again with kubectl get -o json"}
	longStream      = &diag.Code{Name: diag.IsTooLarge, Words: "the file has more than %d GiB; ask for fewer kinds of objects"}
	noWorkload      = &diag.Code{Name: diag.IsEmpty, Words: "there is no workload in the file: expected a Deployment, StatefulSet, ReplicaSet, Job, CronJob or Pod%s"}
	autoscaled      = &diag.Code{Name: "autoscaled", Words: "its HorizontalPodAutoscaler makes %d to %d pods: the minimum is placed; the what-if \"scale %s maximum\" tries the maximum"}
	idleWorkloads   = &diag.Code{Name: "not-placed", Words: "%s without replicas, or suspended, %s not placed"}
	noLimits        = &diag.Code{Name: "no-limit", Words: "%s %s no limit of CPU or memory: the request counts as the limit"}
	noRequests      = &diag.Code{Name: "no-request", Words: "%s without a request of CPU and %d without one of memory: a missing request counts as 0"}
	inferredEdges   = &diag.Code{Name: "inferred-dependencies", Words: "%s inferred from Services named in environment variables, arguments and ConfigMaps: %s"}
	unknownMember   = &diag.Code{Name: diag.IsUnknown, Words: "there is no %s %s in the file"}
	badDependency   = &diag.Code{Name: diag.IsSyntax, Words: `%s: expected "JOB latency=20 bandwidth=100; …" with numbers that are not negative`}
	unknownTarget   = &diag.Code{Name: diag.IsUnknown, Words: "there is no workload and no Service %s in the file"}
	noNodesWithPods = &diag.Code{Name: diag.IsEmpty, Words: "there is no Node in the file; kubectl get nodes,pods -A -o yaml writes the nodes of a cluster with its pods"}
	noNamespaces    = &diag.Code{Name: diag.IsNoNamespace, Words: "the labels of %s such as %s are unknown, and the affinity of a pod chooses namespaces by labels; get namespaces, too"}
	noNodes         = &diag.Code{Name: diag.IsEmpty, Words: "there is no Node and no Cluster of Karmada in the file; the nodes of a cluster are written with kubectl get nodes,pods -o yaml"}
	unlabelledNodes = &diag.Code{Name: "unlabelled-nodes", Words: "%s without a label for the %s %s in the cluster %s"}
	lostPods        = &diag.Code{Name: "pods-of-unknown-nodes", Words: "%s on nodes that are not in the file %s not counted"}
	noSummary       = &diag.Code{Name: diag.IsMissing, Words: "status.resourceSummary is missing: it has the free capacity of the cluster"}
	clusterNotReady = &diag.Code{Name: "cluster-not-ready", Words: "the cluster is not ready and takes no job"}
	clusterTaint    = &diag.Code{Name: "cluster-taint", Words: "the cluster has the taint %s: it takes only jobs whose PropagationPolicy, in the file of the deployment, tolerates it (clusterTolerations)"}
	gpusToShare     = &diag.Code{Name: diag.IsTooMany, Words: "it has more than %d GPUs that pods can share: divide them between nodes"}
	notHonoured     = &diag.Code{Name: diag.IsNotHonoured, Words: "%s is not honoured: %s"}
	skippedObjects  = &diag.Code{Name: "unused-objects", Words: "%s of kinds that Berth does not use: %s"}
	noObject        = &diag.Code{Name: "not-an-object", Words: `an object of Kubernetes has "apiVersion" and "kind"`}
	objectTwice     = &diag.Code{Name: diag.IsTwice, Words: "is twice in the namespace %s, first in line %d"}
	noAllocatable   = &diag.Code{Name: diag.IsMissing, Words: "status.allocatable is missing: it has the capacity of the node; write the nodes with kubectl get nodes -o yaml"}
	noTopologyKey   = &diag.Code{Name: diag.IsMissing, Words: "topologyKey is missing: it names the label of the nodes that form one domain"}
	badSkew         = &diag.Code{Name: diag.IsOutOfRange, Words: "expected a whole number from 1 on"}
	unknownOperator = &diag.Code{Name: diag.IsUnknown, Words: "the operator %q is unknown: expected one of %s"}
	noPools         = &diag.Code{Name: diag.IsEmpty, Words: `there is no pool in the file: expected "pools" with type, allocatable and price of each`}
	typeTwice       = &diag.Code{Name: diag.IsTwice, Words: "the type %s is there twice: name each once"}
	noType          = &diag.Code{Name: diag.IsMissing, Words: `type is missing: it names the pool, such as "m5.large"`}
	noResource      = &diag.Code{Name: diag.IsMissing, Words: "allocatable.%s is missing: it is what pods can have of a node"}
	noPrice         = &diag.Code{Name: diag.IsMissing, Words: "price is missing: give the price of a node an hour, such as 0.12"}
	minimumAbove    = &diag.Code{Name: diag.IsUnordered, Words: "minimum %d is above maximum %d"}
	objectNotJSON   = &diag.Code{Name: diag.IsNotJSON, Words: "this object of the list is not JSON"}
	otherSort       = &diag.Code{Name: diag.IsUnexpected, Words: "expected %s, found %s"}
	notCount        = &diag.Code{Name: diag.IsNotNumber, Words: "%s is not a whole number from %d to %d"}
	notTruth        = &diag.Code{Name: diag.IsUnexpected, Words: "%s is neither true nor false"}
	notText         = &diag.Code{Name: diag.IsUnexpected, Words: "%s is %s to Kubernetes, and a text is expected: put it in quotes"}
	keyNotSingle    = &diag.Code{Name: diag.IsSyntax, Words: "the key of a mapping is %s: expected a single value"}
	keyTwice        = &diag.Code{Name: diag.IsTwice, Words: "the key %s is twice in one mapping, first in line %d"}
	aliasWithin     = &diag.Code{Name: "alias-within-itself", Words: "the alias *%s is within its own anchor"}
)
