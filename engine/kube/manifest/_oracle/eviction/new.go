// Package storage is the eviction handler of the API server: the file eviction.go of
// k8s.io/kubernetes/pkg/registry/core/pod/storage, which is overlaid here when it is built
// (go build -overlay). The whole package needs etcd.
package storage

import (
	"k8s.io/apiserver/pkg/registry/rest"
	policyclient "k8s.io/client-go/kubernetes/typed/policy/v1"
)

// New returns a handler.
func New(store rest.StandardStorage, budgets policyclient.PodDisruptionBudgetsGetter) *EvictionREST {
	return newEvictionStorage(store, budgets)
}
