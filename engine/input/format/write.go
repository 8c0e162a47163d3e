package format

import (
	"io"

	"berth/engine/kube"
	"berth/engine/plugin"
)

// PlacedJob is the part of a job's pods that runs on one cluster.
type PlacedJob struct {
	Owner   kube.Owner
	Cluster string
	Pods    int

	Tolerations []kube.Toleration // of cluster taints
}

// Placement is the input of a placement format: the source files of the jobs, the
// clusters of the jobs, and named facts about the placement.
type Placement struct {
	Files []File
	Jobs  []PlacedJob
	Facts [][2]string

	Remarks []string // set by the writer: differences between its output and the source files
}

// Writer writes a placement format.
type Writer struct {
	Name      string
	Extension string // file extension, such as ".yaml"
	Type      string // MIME type
	Write     func(w io.Writer, p *Placement) error
}

// Writers are the placement formats.
var Writers = plugin.NewRegistry[Writer]("format", "placement format")

// Key implements [plugin.Named].
func (w Writer) Key() (name, was string, complete bool) { return w.Name, "", w.Write != nil }
