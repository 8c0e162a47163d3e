package kube_test

import (
	"testing"

	"berth/engine/kube"
)

// The message about an exceeded quota lists the exceeded resources, not the exhausted
// ones.
func TestExceededQuota(t *testing.T) {
	for _, test := range []struct {
		name string
		hard kube.Resources
		want string
	}{
		{"all used up", kube.Resources{"requests.cpu": 2000, "requests.memory": 2 << 20, kube.Pods: 2}, ""},
		{"one resource, the others used up", kube.Resources{"requests.cpu": 2000, "requests.memory": 1 << 20, kube.Pods: 2},
			`pods "web" is forbidden: exceeded quota: q, requested: requests.memory=1Mi, used: requests.memory=1Mi, limited: requests.memory=1Mi. 1 of 2 pods fit.`},
		{"two resources", kube.Resources{"requests.cpu": 1999, "requests.memory": 2 << 20, kube.Pods: 1},
			`pods "web" is forbidden: exceeded quota: q, requested: pods=1,requests.cpu=1, used: pods=1,requests.cpu=1, limited: pods=1,requests.cpu=1999m. 1 of 2 pods fit.`},
	} {
		c := kube.Cluster{Nodes: []kube.Node{node("n", 4000)}}
		c.Quotas = []kube.Quota{{Namespace: "default", Name: "q", Hard: test.hard}}
		p := kube.NewPacker(&c, []kube.Group{pods(1000, 2)}, 0)
		if got := p.Pack([]int{0}); got.Reason != test.want {
			t.Errorf("%s: got  %s\nwant %s", test.name, got.Reason, test.want)
		}
	}
}
