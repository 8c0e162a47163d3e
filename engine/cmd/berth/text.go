package main

import "berth/engine/diag"

// leftOut is the code of what .dot cannot say.
const leftOut = "left-out"

// What can be wrong with an input.
var (
	taintsLeftOut  = diag.Define(leftOut, "the taints of %s are left out: .dot has none")
	hostsLeftOut   = diag.Define(leftOut, "%s left out: .dot has only the total amounts of clusters, so pods may seem to fit that fit on no host")
	pricesUnknown  = diag.Define(diag.IsUnpriced, "the prices of %s are unknown and written as 0: give a .dot with the same ids, such as: eu [cpu_cost=0.4]")
	amountsUnknown = diag.Define("no-amounts", "what %s %s is unknown and written as 0: give a .dot with the same ids, such as: eu [cpu=4000, cpu_cost=0.4]")
	clustersApart  = diag.Define(diag.IsApart, "the clusters form %d groups without a link between them")
	linksUnknown   = diag.Define(diag.IsNoLinks, "no links are known: give a .dot with the same ids, such as: eu -- us [latency=80]")
	policyFails    = diag.Define("policy-leaves-tasks", "on %s: %s")
)
