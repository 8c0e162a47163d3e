package format

import (
	"cmp"

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

// severity returns the severity of warnings, which strict reading changes.
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
	for i, of := range more.Members {
		c, _ := f.Cluster(more.Clusters().ID(i))
		m := f.member(c)
		m.Manifest, m.Taints, m.Part = m.Manifest || of.Manifest, append(m.Taints, of.Taints...), cmp.Or(of.Part, m.Part)
		if of.Labels != nil {
			m.Labels = of.Labels
		}
		switch {
		case of.Nodes == nil:
		case m.Nodes == nil:
			m.Nodes = of.Nodes
		default: // two files describe nodes of one cluster
			m.Nodes.Nodes = append(m.Nodes.Nodes, of.Nodes.Nodes...)
			m.Nodes.Pods = append(m.Nodes.Pods, of.Nodes.Pods...)
			m.Nodes.Daemons = append(m.Nodes.Daemons, of.Nodes.Daemons...)
			m.Nodes.Objects.Add(&of.Nodes.Objects)
			twice = f.Clusters().ID(c)
		}
	}
	return twice
}

// member returns a pointer to the description of a cluster. It is valid until a cluster is added.
func (f *Federation) member(cluster int) *Member {
	for len(f.Members) <= cluster {
		f.Members = append(f.Members, Member{})
	}
	return &f.Members[cluster]
}

// AddManifest adds a cluster from a format without links. The pointer m is valid until the next
// cluster is added.
func (f *Federation) AddManifest(id string) (cluster int, m *Member) {
	cluster = f.AddCluster(id)
	m = f.member(cluster)
	m.Manifest = true
	return cluster, m
}
