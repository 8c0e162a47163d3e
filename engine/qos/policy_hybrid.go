package qos

import "berth/engine/parameter"

// DefaultHybridLimit is the default minimum queue length for [Hybrid] to be
// priority-based.
const DefaultHybridLimit = 100

var hybridPlugin = Plugin{
	Name: "hybrid", Title: "hybrid", Description: "QoS-driven while few requests wait, priority-based otherwise",
	Parameters: []parameter.Parameter{
		{Name: "limit", Title: "priority-based from a queue of", Low: 1, High: 1e9, Whole: true, Default: DefaultHybridLimit},
	},
	New: func(v parameter.Values) Policy { return Hybrid(int(v["limit"])) },
}

// Hybrid is QoS-driven while fewer than limit requests wait, and priority-based otherwise (thesis,
// 7.1.6).
func Hybrid(limit int) Policy {
	p, priority := QoSDriven(), PriorityBased()
	p.Name, p.other, p.limit = "hybrid", &priority, limit
	return p
}
