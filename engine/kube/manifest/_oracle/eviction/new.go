// Package storage contains the API server's eviction handler: the build overlays the file
// eviction.go of k8s.io/kubernetes/pkg/registry/core/pod/storage here (go build -overlay). The
// original package cannot be imported, because it needs etcd.
package storage

import (
	"k8s.io/apiserver/pkg/registry/rest"
	policyclient "k8s.io/client-go/kubernetes/typed/policy/v1"
)

// New returns an eviction handler for the given pods and budgets.
func New(store rest.StandardStorage, budgets policyclient.PodDisruptionBudgetsGetter) *EvictionREST {
	return newEvictionStorage(store, budgets)
}
