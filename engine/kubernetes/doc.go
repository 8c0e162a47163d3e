// Package kubernetes reads what kubectl get -o yaml, helm template or kustomize
// build write, YAML of several documents or JSON: workloads as jobs with the
// shape of their pods, nodes and the pods on them as clusters, and what depends on
// what, told or inferred. It reads Clusters of Karmada and which of their taints its
// policies tolerate, and writes such policies.
//
// Nothing stops at the first problem: what is wrong is told with the document, the
// kind and name of the object, the path of the field, line and column. Aliases
// are followed only where what they amount to is bounded.
package kubernetes
