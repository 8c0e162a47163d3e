package format

import (
	"cmp"
	"slices"

	"berth/engine/kube"
)

// Propagation is a PropagationPolicy of Karmada, which determines the clusters for a job.
type Propagation struct {
	Object     string            // kind and name of the policy
	Line       int               // line in its file
	Affinities []ClusterAffinity // the first one whose clusters can take the job applies; nil: all clusters
	Spread     []ClusterSpread
	Divided    bool            // pods are divided among clusters; otherwise each cluster gets all pods
	Weights    []ClusterWeight // static weights of divided pods; nil: none
	Others     []PolicyField   // fields that affect the placement but are not supported
}

// PolicyField is an unsupported field of a policy, with the reason.
type PolicyField struct{ Field, Says string }

// ClusterAffinity selects clusters.
type ClusterAffinity struct {
	Names, Exclude []string
	Labels         kube.Selector      // nil: any labels
	Fields         []kube.Requirement // requirements on provider, region and zone
}

// ClusterSpread limits the number of cluster groups that a job uses.
type ClusterSpread struct {
	By       string // field or label by which clusters are grouped: cluster, region, zone or provider, or a label key
	Min, Max int    // number of groups; 0: unlimited
}

// ClusterWeight is the relative number of divided pods for some clusters.
type ClusterWeight struct {
	Target ClusterAffinity
	Weight int
}

// Chooses reports whether the affinity selects a cluster of the federation.
func (a *ClusterAffinity) Chooses(f *Federation, cluster int) bool {
	id := f.Clusters().ID(cluster)
	label := func(key string) string {
		return cmp.Or(f.Member(cluster).Labels[key], f.Clusters().Attribute(key, cluster))
	}
	if len(a.Names) > 0 && !slices.Contains(a.Names, id) || slices.Contains(a.Exclude, id) {
		return false
	}
	labels := map[string]string{}
	for _, r := range slices.Concat([]kube.Requirement(a.Labels), a.Fields) {
		if value := label(r.Key); value != "" {
			labels[r.Key] = value
		}
	}
	return (a.Labels == nil || a.Labels.Matches(labels)) && (len(a.Fields) == 0 || kube.Selector(a.Fields).Matches(labels))
}
