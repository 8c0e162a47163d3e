// Package kinds registers every kind of scenario, every reader and the policy language. Programs
// import it for this effect: the command line, the page with its workers, and tests.
package kinds

import (
	_ "berth/engine/bundle"
	"berth/engine/federate/federatekind"
	"berth/engine/kube/fragment"
	_ "berth/engine/kube/handover"
	"berth/engine/placement/placementkind"
	"berth/engine/qos/qoskind"
	"berth/engine/scenario"
	"berth/engine/study"
	_ "berth/engine/written"
)

func init() {
	scenario.Register(
		placementkind.Kind,
		qoskind.Kind,
		federatekind.Kind,
		fragment.Kind,
		study.Kind,
	)
}
