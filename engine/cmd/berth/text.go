package main

import "berth/engine/diag"

// leftOut is the name of diagnostics about input that .dot cannot express.
const leftOut = "left-out"

// The problems that commands report about an input.
var (
	taintsLeftOut  = &diag.Code{Name: leftOut, Words: "the taints of %s are left out: .dot has none"}
	hostsLeftOut   = &diag.Code{Name: leftOut, Words: "%s left out: .dot has only the total amounts of clusters, so pods may seem to fit that fit on no host"}
	pricesUnknown  = &diag.Code{Name: diag.IsUnpriced, Words: "the prices of %s are unknown and written as 0: give a .dot with the same ids, such as: eu [cpu_cost=0.4]"}
	amountsUnknown = &diag.Code{Name: "no-amounts", Words: "what %s %s is unknown and written as 0: give a .dot with the same ids, such as: eu [cpu=4000, cpu_cost=0.4]"}
	clustersApart  = &diag.Code{Name: diag.IsApart, Words: "the clusters form %d groups without a link between them"}
	linksUnknown   = &diag.Code{Name: diag.IsNoLinks, Words: "no links are known: give a .dot with the same ids, such as: eu -- us [latency=80]"}
	policyFails    = &diag.Code{Name: "policy-leaves-tasks", Words: "on %s: %s"}
)
