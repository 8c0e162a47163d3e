package main

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"berth/engine/golden"
)

// threads are public questions about pending pods and drains that did not end, each rebuilt as a
// small dump.
var threads = []struct {
	file   string // in testdata/threads; drains are of node-1
	thread string // on GitHub
	asked  string
	answer []string // parts of Berth's answer
}{
	{"spread-counts-the-control-plane", "kubernetes/kubernetes#116118", "Three of seven replicas run, one on each worker, and no more come.", []string{"Deployment/web: 4 pods", "set nodeTaintsPolicy: Honor"}},
	{"anti-affinity-stops-a-rollout", "kubernetes/kubernetes#116891", "The first pod of an update stays pending: each of three nodes has an old one.", []string{"have pods that it avoids", "maxSurge: 0"}},
	{"claim-without-a-class", "kubernetes/website#26943", "The hub is pending, and so is its claim.", []string{"jhub/hub-1-a", "bind its claims"}},
	{"node-is-full-of-pods", "Panfactum/stack#129", "A pod is pending although its node is half empty.", []string{"Too many pods", "free room for 1 pod on node-1"}},
	{"gpu-is-taken", "NVIDIA/k8s-device-plugin#33", "The node has a GPU, and the pod does not get it.", []string{"held by notebook (1 nvidia.com/gpu)"}},
	{"gpus-are-not-advertised", "NVIDIA/k8s-device-plugin#102", "The machine has eight GPUs, and the scheduler sees none.", []string{"start the device plugin of nvidia.com/gpu"}},
	{"volumes-per-node", "hetznercloud/csi-driver#240", "One more pod with a volume stays pending.", []string{"exceed max volume count", "stop a pod with volumes on node-1"}},
	{"quota-stops-a-rollout", "ministryofjustice/cloud-platform#590", "An update stops, and no pod is pending.", []string{"raise the quota namespace-quota", "Deployment/staging/manager lacks 1 pod"}},
	{"quota-wants-requests", "kubernetes/kubernetes#96634", "A deployment has no pods at all.", []string{"set the requests that a quota wants", "Deployment/dep lacks 3 pods"}},
	{"one-node-one-port", "kubernetes/examples#384", "One of two workers runs on a single node.", []string{"have its host ports taken", "free the host ports"}},
	{"more-replicas-than-hosts", "kubernetes/kubernetes#66568", "Pods on the network of their hosts stay pending.", []string{"free the host ports", "label node-3 dedicated=api-test"}},
	{"node-is-unreachable", "hystax/optscale#568", "All pods of a single node stay pending.", []string{"make node-1 ready"}},
	{"volume-in-another-zone", "RADAR-base/RADAR-Kubernetes#24", "A database does not come back after its node was replaced.", []string{"cannot have its volume", "give its claim a volume"}},
	{"label-that-no-node-has", "rhobs/troubleshooting-scenarios#37", "A pod waits for a kind of disk.", []string{"lack its labels", "label node-1 disk-type=ssd-high-iops"}},
	{"port-and-taint", "gitpod-io/gitpod#2622", "With hostNetwork, a proxy stays pending.", []string{"tolerate node-role.kubernetes.io/control-plane:NoSchedule", "free the host ports"}},
	{"apart-and-in-the-zone-of-its-volume", "hashicorp/consul-helm#243", "A server does not come back after the nodes were restarted.", []string{"give its claim a volume that node-2 can have", "move the pods"}},
	{"drain-waits-for-a-budget", "kubernetes/kubectl#172", "The drain hangs without a word.", []string{"web keeps 1 pod", "let it allow a disruption", "kubectl -n default describe pdb"}},
	{"drain-of-a-single-replica", "kubesphere/ks-installer#1110", "The drain tries again every five seconds.", []string{"istio-pilot keeps 1 pod", "run more replicas"}},
	{"drain-with-a-broken-image", "gravitational/gravity#1277", "Does a pod whose image cannot be pulled hold up the drain?", []string{"1 pod leaves and finds a node"}},
	{"drain-of-a-pod-without-a-controller", "longhorn/longhorn#1286", "A budget for each node keeps a pod that no deployment has.", []string{"instance-manager-r-1 keeps 1 pod"}},
	{"drain-with-all-available", "openshift/origin#31161", "The budget wants all of its pods available.", []string{"hello keeps 2 pods", "let it allow a disruption"}},
}

// The page about threads quotes Berth's answers. The first line of an answer has the cause and the
// next step.
func TestThreads(t *testing.T) {
	var page strings.Builder
	for _, one := range threads {
		file := "testdata/threads/" + one.file + ".yaml"
		args := []string{"pending", file}
		if strings.HasPrefix(one.file, "drain") {
			args = []string{"drain", "--federation", file, "node-1"}
		}
		stdout, stderr, _ := exec(t, "", args...)
		for _, part := range one.answer {
			if !strings.Contains(stdout, part) {
				t.Errorf("%s: %q is not in %s", one.file, part, stdout)
			}
		}
		first, _, _ := strings.Cut(stdout, "\n")
		if n := utf8.RuneCountInString(first); n > 100 || stderr != "" {
			t.Errorf("%s: the first line has %d characters: %s%s", one.file, n, first, stderr)
		}
		repository, number, _ := strings.Cut(one.thread, "#")
		fmt.Fprintf(&page, "## %s\n\nAsked at `github.com/%s/issues/%s`.\n\n```text\n%s```\n\n", strings.TrimSuffix(one.asked, "."), repository, number, stdout)
	}
	golden.Part(t, "../../../web/docs/pages/threads.md", "threads", page.String())
}
