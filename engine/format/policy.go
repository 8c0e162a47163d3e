package format

import (
	"slices"

	"berth/engine/packing"
)

// Propagation decides which clusters a job may go to: a PropagationPolicy of Karmada.
type Propagation struct {
	Object     string            // kind and name
	Line       int               // of the file
	Affinities []ClusterAffinity // the first of them whose clusters take the job; nil: all clusters
	Spread     []ClusterSpread
	Divided    bool            // pods may go to several clusters; otherwise each has all of them
	Weights    []ClusterWeight // of divided pods, static ones; nil: none
	Others     []PolicyField   // that bear on where pods go and are not honoured
}

// PolicyField is a field of a policy, and why it is not honoured.
type PolicyField struct{ Field, Says string }

// ClusterAffinity chooses clusters.
type ClusterAffinity struct {
	Names, Exclude []string
	Labels         packing.Selector      // nil: it does not look at them
	Fields         []packing.Requirement // provider, region and zone
}

// ClusterSpread bounds over how many groups of clusters a job is spread.
type ClusterSpread struct {
	By       string // cluster, region, zone, provider or a label
	Min, Max int    // 0: any
}

// ClusterWeight is which part of divided pods some clusters have.
type ClusterWeight struct {
	Target ClusterAffinity
	Weight int
}

// Chooses says whether an affinity chooses a cluster of the federation.
func (a *ClusterAffinity) Chooses(f *Federation, cluster int) bool {
	id := f.Clusters().ID(cluster)
	label := func(key string) string {
		if cluster < len(f.Labels) && f.Labels[cluster][key] != "" {
			return f.Labels[cluster][key]
		}
		return f.Clusters().Attribute(key, cluster)
	}
	if len(a.Names) > 0 && !slices.Contains(a.Names, id) || slices.Contains(a.Exclude, id) {
		return false
	}
	labels := map[string]string{}
	for _, r := range slices.Concat([]packing.Requirement(a.Labels), a.Fields) {
		if value := label(r.Key); value != "" {
			labels[r.Key] = value
		}
	}
	return (a.Labels == nil || a.Labels.Matches(labels)) && (len(a.Fields) == 0 || packing.Selector(a.Fields).Matches(labels))
}
