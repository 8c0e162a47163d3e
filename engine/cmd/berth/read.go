package main

import (
	flag "github.com/spf13/pflag"
	"os"

	"berth/engine/budget"
	"berth/engine/dot"
	"berth/engine/graph"
	"berth/engine/input/format"
)

// readFlags are the flags that control how manifests and nodes are read.
type readFlags struct {
	*format.Reading
	inferred string
}

func (r *readFlags) register(f *flag.FlagSet, to *format.Reading) {
	r.Reading = to
	f.StringVar(&r.ClusterBy, "cluster-by", "", "split a file of nodes into clusters by `region|zone|LABEL` (default: the file is one cluster)")
	choose(f, &r.inferred, "inferred", "dependencies inferred from environment variables, arguments and ConfigMaps", "keep", "drop")
	parsed(f, &r.InferredLatency, "latency", "highest latency in `MS` of inferred dependencies (default: no bound)", "a number of milliseconds from 0 on", func(s string) (*float64, bool) {
		v, ok := finite(s)
		return &v, ok && v >= 0 && v <= graph.MaxFigure
	})
	f.BoolVar(&r.Split, "split", false, "make each pod a job, so that the pods of a workload may go to several clusters")
}

// finish sets the options that depend on several flags.
func (r *readFlags) finish() { r.NoInferred = r.inferred == "drop" }

// named splits NAME=FILE, unless a file has that name. prefix is "NAME=", or "" without a name.
func named(name string) (prefix, file string) {
	cluster, file, isNamed := format.Named(name)
	if _, err := os.Stat(name); err == nil || !isNamed {
		return "", name
	}
	return cluster + "=", file
}

// named reads a file given as FILE or NAME=FILE.
func (c *call) named(name string) (format.File, error) {
	prefix, file := named(name)
	b := c.load(0)
	read, data, err := c.text(file, int(b.Room(budget.Unpacked)))
	if err == nil {
		err = b.Take(budget.Unpacked, len(data))
	}
	return format.File{Name: prefix + read, Text: string(dot.Text(data))}, err
}
