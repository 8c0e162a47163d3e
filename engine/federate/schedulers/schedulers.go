// Package schedulers registers every scheduler of Federate. To add a scheduler, write a package
// with its [federate.Plugin] and add a line here.
package schedulers

import (
	"berth/engine/federate"
	"berth/engine/federate/conservative"
	"berth/engine/federate/eagle"
	"berth/engine/federate/easy"
	"berth/engine/federate/fair"
	"berth/engine/federate/fcfs"
	"berth/engine/federate/firmament"
	"berth/engine/federate/hawk"
	"berth/engine/federate/hydra"
	"berth/engine/federate/ideal"
	"berth/engine/federate/kubernetes"
	"berth/engine/federate/leastloaded"
	"berth/engine/federate/megha"
	"berth/engine/federate/mercury"
	"berth/engine/federate/mesos"
	"berth/engine/federate/omega"
	"berth/engine/federate/pigeon"
	"berth/engine/federate/quincy"
	"berth/engine/federate/sjf"
	"berth/engine/federate/sparrow"
	"berth/engine/federate/srpt"
)

func init() {
	for _, p := range []federate.Plugin{
		megha.Plugin,
		megha.Single,
		sparrow.Plugin,
		pigeon.Plugin,
		ideal.Plugin,
		fcfs.Plugin,
		sjf.Plugin,
		srpt.Plugin,
		easy.Plugin,
		conservative.Plugin,
		fair.Plugin,
		leastloaded.Plugin,
		hawk.Plugin,
		eagle.Plugin,
		omega.Plugin,
		mesos.Plugin,
		kubernetes.Plugin,
		mercury.Plugin,
		hydra.Plugin,
		quincy.Plugin,
		firmament.Plugin,
	} {
		if err := federate.Register(p); err != nil {
			panic(err)
		}
	}
}
