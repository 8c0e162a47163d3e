package format

import (
	"io"

	"berth/engine/packing"
	"berth/engine/plugin"
)

// PlacedJob is a job of manifests with the pods that one cluster has of it.
type PlacedJob struct {
	Owner   packing.Owner
	Cluster string
	Pods    int

	Tolerations []packing.Toleration // of taints that clusters have
}

// Placement is what a format of placements writes: the texts that the jobs come
// from, where the jobs stand, and what is known of the placement, by name.
type Placement struct {
	Files []File
	Jobs  []PlacedJob
	Facts [][2]string

	Remarks []string // of the writer: what the file has otherwise than its inputs
}

// Writer is a format of placements.
type Writer struct {
	Name      string
	Extension string // of files: ".yaml"
	Type      string // MIME
	Write     func(w io.Writer, p *Placement) error
}

var writers = plugin.NewRegistry("format", "placement format", func(w *Writer) (string, bool) { return w.Name, w.Write != nil })

// AddWriter adds a format of placements; a name that is taken is an error.
func AddWriter(w Writer) error { return writers.Add(w) }

// LookupWriter returns the format of placements of a name.
func LookupWriter(name string) (Writer, bool) { return writers.Lookup(name) }

// Writers lists the formats of placements.
func Writers() []string { return writers.Names() }
