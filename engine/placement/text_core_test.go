package placement_test

import (
	"testing"

	"berth/engine/placement"
)

// A conflict set is described in one sentence.
func TestACoreIsTold(t *testing.T) {
	tests := []struct{ name, deployment, federation, want string }{
		{
			"too far apart",
			`graph { api [storage_request=8, storage_limit=8]; cache [storage_request=8, storage_limit=8]; db [storage_request=8, storage_limit=8];
				api -- cache [latency=20]; api -- db [latency=20]; cache -- db [latency=20] }`,
			`graph { eu [storage=20, storage_cost=1]; us [storage=20, storage_cost=1]; ap [storage=7, storage_cost=1];
				eu -- us [latency=80, latency_cost=1]; us -- ap [latency=5, latency_cost=1]; eu -- ap [latency=5, latency_cost=1] }`,
			"api and cache need 20 ms to db; only eu and us hold 8 GB of storage, and they are 80 ms apart; " +
				"api, cache and db request 24 GB of storage together; no cluster has more than 20 left",
		},
		{
			"to each other",
			`graph { api [storage_request=8, storage_limit=8]; cache [storage_request=8, storage_limit=8]; db [storage_request=8, storage_limit=8];
				api -- cache [latency=20]; api -- db [latency=20]; cache -- db [latency=20] }`,
			`graph { eu [storage=9, storage_cost=1]; us [storage=9, storage_cost=1]; ap [storage=9, storage_cost=1]; af [storage=1, storage_cost=1];
				eu -- us [latency=10, latency_cost=1]; us -- ap [latency=10, latency_cost=1]; eu -- ap [latency=80, latency_cost=1]; af -- eu [latency=1, latency_cost=1] }`,
			"api, cache and db need 20 ms to each other; only eu, us and ap hold 8 GB of storage, and eu and ap are 80 ms apart; " +
				"api, cache and db request 24 GB of storage together; no cluster has more than 9 left",
		},
		{
			"too little in all",
			`graph { a [request=10, limit=10]; b [request=7, limit=7] }`,
			`graph { x [cpu=11, cpu_cost=1]; y [cpu=5, cpu_cost=1]; x -- y [latency=1, latency_cost=1] }`,
			"only x holds 7 cpu; a and b request 17 cpu together; x has 11 left",
		},
		{
			"nowhere",
			`graph { a [request=10, limit=10]; b [request=7, limit=7] }`,
			`graph { x [cpu=9, cpu_cost=1]; y [cpu=8, cpu_cost=1]; x -- y [latency=1, latency_cost=1] }`,
			"no cluster has the 10 cpu left that a requests",
		},
		{
			"refused by ranges",
			`graph { a [request=10, limit=10]; }`,
			`graph { x [cpu=90, cpu_cost=1, cpu_max_request=5]; y [cpu=80, cpu_cost=1, cpu_min_request=20]; x -- y [latency=1, latency_cost=1] }`,
			"no cluster takes a",
		},
		{
			"a chain",
			`graph { a [request=10, limit=10]; b [request=10, limit=10]; c [request=10, limit=10]; a -- b [latency=3]; b -- c [latency=3] }`,
			`graph { x [cpu=10, cpu_cost=1]; y [cpu=10, cpu_cost=1]; z [cpu=10, cpu_cost=1]; x -- y [latency=2, latency_cost=1]; y -- z [latency=9, latency_cost=1]; x -- z [latency=8, latency_cost=1] }`,
			"a and c need 3 ms to b; x and z are 8 ms apart, and y and z are 9 ms apart; a, b and c request 30 cpu together; no cluster has more than 10 left",
		},
	}
	for _, test := range tests {
		d, f := graphsOf(t, test.deployment, test.federation)
		p := problemOf(d, f, false)
		s := placeBy(t, "heuristic", p, placement.Options{Budget: placement.DefaultBudget})
		p.Certify(t.Context(), &s)
		if got := s.Certificate.CoreText; got != test.want {
			t.Errorf("%s: %q, want %q; the core is %v", test.name, got, test.want, s.Certificate.Core)
		}
	}
}
