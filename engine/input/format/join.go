package format

import (
	"berth/engine/diag"
	"berth/engine/show"
)

// File is a text with its name, which may be NAME=FILE.
type File struct{ Name, Text string }

// ReadFederation reads the files of a federation and joins them by cluster ids. Files
// in partial formats come last and may omit data that earlier files contain.
func ReadFederation(files []File, o Options) (*Federation, diag.List) {
	var whole *Federation
	var all diag.List
	for _, partial := range []bool{false, true} {
		for _, file := range files {
			reader := FederationReader([]byte(file.Text))
			if reader.Partial != partial {
				continue
			}
			if whole != nil {
				o.Given = whole.Federation
			}
			f, diagnostics := reader.Federation(file.Name, []byte(file.Text), o)
			all = append(all, diagnostics...)
			switch {
			case f == nil:
			case whole == nil:
				whole = f
			default:
				if twice := whole.add(f); twice != "" {
					one := diag.New(file.Name, 1, 1, joinedClusters, show.Quote(twice))
					one.Severity = o.severity()
					all = append(all, *one)
				}
			}
		}
	}
	if len(all.Errors()) > 0 {
		return nil, all
	}
	return whole, all
}

// severity returns the severity of a warning.
func (o *Options) severity() diag.Severity {
	if o.Strict {
		return diag.Error
	}
	return diag.Warning
}

// add merges another federation into f. It returns a cluster that has nodes in both,
// or "".
func (f *Federation) add(more *Federation) (twice string) {
	f.Federation.Add(more.Federation)
	f.Routed, f.Sparse = f.Routed || more.Routed, f.Sparse || more.Sparse
	f.Unhonoured = append(f.Unhonoured, more.Unhonoured...)
	for i, nodes := range more.Nodes {
		c, _ := f.Cluster(more.Clusters().ID(i))
		f.grow(c)
		f.Manifest[c] = f.Manifest[c] || more.Manifest[i]
		f.Taints[c] = append(f.Taints[c], more.Taints[i]...)
		if more.Labels[i] != nil {
			f.Labels[c] = more.Labels[i]
		}
		if more.Parts[i] != "" {
			f.Parts[c] = more.Parts[i]
		}
		if nodes == nil {
			continue
		}
		if f.Nodes[c] != nil { // two files describe one cluster
			f.Nodes[c].Nodes = append(f.Nodes[c].Nodes, nodes.Nodes...)
			f.Nodes[c].Pods = append(f.Nodes[c].Pods, nodes.Pods...)
			f.Nodes[c].Daemons = append(f.Nodes[c].Daemons, nodes.Daemons...)
			f.Nodes[c].Objects.Add(&nodes.Objects)
			twice = f.Clusters().ID(c)
			continue
		}
		f.Nodes[c] = nodes
	}
	return twice
}

// grow extends the slices by cluster.
func (f *Federation) grow(cluster int) {
	for len(f.Nodes) <= cluster {
		f.Nodes, f.Taints, f.Manifest = append(f.Nodes, nil), append(f.Taints, nil), append(f.Manifest, false)
		f.Labels, f.Parts = append(f.Labels, nil), append(f.Parts, "")
	}
}

// FromManifest reports whether a cluster comes from a format without links and
// prices.
func (f *Federation) FromManifest(cluster int) bool {
	return cluster < len(f.Manifest) && f.Manifest[cluster]
}

// AddManifest adds a cluster from a format without links.
func (f *Federation) AddManifest(id string) int {
	c := f.AddCluster(id)
	f.grow(c)
	f.Manifest[c] = true
	return c
}
