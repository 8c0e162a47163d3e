package main

import (
	flag "github.com/spf13/pflag"
	"os"

	"berth/engine/budget"
	"berth/engine/dot"
	"berth/engine/format"
	"berth/engine/graph"
)

// readFlags are the flags that control how manifests and nodes are read.
type readFlags struct {
	format.Reading
	inferred *choice
}

func (r *readFlags) register(f *flag.FlagSet) {
	f.StringVar(&r.ClusterBy, "cluster-by", "", "split a file of nodes into clusters by `region|zone|LABEL` (default: the file is one cluster)")
	r.inferred = choose(f, "inferred", "dependencies inferred from environment variables, arguments and ConfigMaps", "keep", "drop")
	parsed(f, &r.InferredLatency, "latency", "highest latency in `MS` of inferred dependencies (default: no bound)", "a number of milliseconds from 0 on", func(s string) (*float64, bool) {
		v, ok := finite(s)
		return &v, ok && v >= 0 && v <= graph.MaxFigure
	})
	f.BoolVar(&r.Split, "split", false, "make each pod a job, so that the pods of a workload may go to several clusters")
}

func (r *readFlags) reading() format.Reading {
	r.NoInferred = r.inferred.value == "drop"
	return r.Reading
}

// named reads a file given as FILE or NAME=FILE.
func (c *call) named(name string) (format.File, error) {
	cluster, file, isNamed := format.Named(name)
	if _, err := os.Stat(name); err == nil {
		file, isNamed = name, false // a file of this name exists, so "=" is part of the name
	}
	b := c.load(0)
	read, data, err := c.dumpOrText(file, int(b.Room(budget.Unpacked)))
	if err == nil {
		err = b.Take(budget.Unpacked, len(data))
	}
	if isNamed {
		read = cluster + "=" + read
	}
	return format.File{Name: read, Text: string(dot.Text(data))}, err
}
