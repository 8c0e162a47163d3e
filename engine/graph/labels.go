package graph

import "math"

// builtin lists the label types of the placement problem. A new type needs only an entry here:
// readers, writers, constraints, costs and reasons of infeasibility are derived from it.
var builtin = []LabelType{
	resourceDemand("cpuOffloading", "cpu", "units", "request", "limit"),
	resourceDemand("memoryOffloading", "memory", "MB"),
	resourceDemand("storageOffloading", "storage", "GB"),
	resourceSupply("cpu", "units"),
	resourceSupply("memory", "MB"),
	resourceSupply("storage", "GB"),
	{
		Name: "carbon", On: Cluster, Kind: Policy,
		Fields: []Field{{Name: "value", Attrs: []string{"carbon"}, Unit: "g per unit of cpu"}},
	},
	{
		Name: "latency", On: Dependency, Kind: Demand, HostedBy: "latency",
		Fields:      []Field{{Name: "value", Attrs: []string{"latency"}, Unit: "ms"}},
		Comparisons: []Comparison{{Demand: "value", Op: AtLeast, Supply: "value", Reason: "latency"}},
	},
	{
		Name: "latency", On: Link, Kind: Supply, Shortest: "value",
		Fields: []Field{
			{Name: "value", Attrs: []string{"latency"}, Unit: "ms"},
			{Name: "cost", Attrs: []string{"latency_cost"}, Price: true},
		},
	},
	{
		Name: "bandwidth", On: Dependency, Kind: Demand, HostedBy: "bandwidth",
		Fields:      []Field{{Name: "value", Attrs: []string{"bandwidth"}, Unit: "Mbit/s"}},
		Comparisons: []Comparison{{Demand: "value", Op: AtMost, Supply: "value", Reason: "bandwidth", Consumes: true}},
	},
	{
		Name: "bandwidth", On: Link, Kind: Supply,
		Fields: []Field{
			{Name: "value", Attrs: []string{"bandwidth"}, Unit: "Mbit/s", Through: Narrowest},
			{Name: "cost", Attrs: []string{"bandwidth_cost"}, Price: true},
		},
	},
	{
		Name: "linkCost", On: Link, Kind: Policy,
		Fields: []Field{{Name: "value", Attrs: []string{"link_cost"}, Price: true}},
	},
	{
		Name: "traffic", On: Dependency, Kind: Policy,
		Fields: []Field{{Name: "volume", Attrs: []string{"volume"}, Unit: "GB", Adds: true}},
	},
	{
		Name: "traffic", On: Link, Kind: Policy,
		Fields: []Field{{Name: "cost", Attrs: []string{"traffic_cost"}, Unit: "per GB", Price: true, Per: "volume"}},
	},
	{
		Name: "inferred", On: Dependency, Kind: Policy,
		Fields: []Field{{Name: "value", Attrs: []string{"inferred"}, Flag: true, Word: true}},
	},
	{
		Name: "move", On: Job, Kind: Policy,
		Fields: []Field{{Name: "cost", Attrs: []string{"move_cost"}}},
	},
	{
		Name: "preemption", On: Job, Kind: Policy,
		Fields: []Field{{Name: "value", Attrs: []string{"preemption"}, Flag: true}},
	},
}

// resourceDemand describes a job's demand for a resource by request and limit, as in Kubernetes.
// Fields in shorthands may be written without the resource: "request" instead of "cpu_request".
func resourceDemand(name, resource, unit string, shorthands ...string) LabelType {
	field := func(name string) Field {
		f := Field{Name: name, Attrs: []string{resource + "_" + name}, Unit: unit}
		for _, s := range shorthands {
			if s == name {
				f.Attrs = []string{s, f.Attrs[0]}
			}
		}
		return f
	}
	return LabelType{
		Name: name, On: Job, Kind: Demand, HostedBy: resource,
		Fields:  []Field{field("request"), field("limit")},
		Ordered: [2]string{"request", "limit"},
		Comparisons: []Comparison{
			{Demand: "request", Op: AtMost, Supply: "amount", Reason: "room", Consumes: true},
			{Demand: "request", Op: AtLeast, Supply: "minR", Reason: "limit range"},
			{Demand: "request", Op: AtMost, Supply: "maxR", Reason: "limit range"},
			{Demand: "limit", Op: AtLeast, Supply: "minL", Reason: "limit range"},
			{Demand: "limit", Op: AtMost, Supply: "maxL", Reason: "limit range"},
		},
	}
}

// resourceSupply describes a cluster's amount of a resource, its price per unit, and bounds for a
// single job as in a Kubernetes LimitRange.
func resourceSupply(name, unit string) LabelType {
	bound := func(field, attr string, absent float64) Field {
		return Field{Name: field, Attrs: []string{name + "_" + attr}, Unit: unit, Optional: true, Absent: absent}
	}
	return LabelType{
		Name: name, On: Cluster, Kind: Supply,
		Fields: []Field{
			{Name: "amount", Attrs: []string{name}, Unit: unit},
			{Name: "cost", Attrs: []string{name + "_cost"}, Unit: "per unit", Price: true},
			bound("minR", "min_request", 0), bound("maxR", "max_request", math.Inf(1)),
			bound("minL", "min_limit", 0), bound("maxL", "max_limit", math.Inf(1)),
		},
	}
}
