package qos_test

import (
	"testing"

	"berth/engine/qos"
	"berth/engine/qos/qostest"
)

func TestSchedulersAgree(t *testing.T) {
	for _, policy := range []func() qos.Policy{
		qos.QoSDriven, qos.PriorityBased,
		func() qos.Policy { return qos.Hybrid(3) },
		func() qos.Policy { return qos.Hybrid(8) },
	} {
		p := policy()
		t.Run(p.Name, func(t *testing.T) { qostest.Conform(t, policy, 200) })
	}
}
