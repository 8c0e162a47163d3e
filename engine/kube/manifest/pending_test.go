package manifest_test

import (
	"fmt"
	"strings"
	"testing"

	"berth/engine/kube"
)

// claimOn returns a claim with a volume of the driver ebs.
func claimOn(name string) string {
	return "{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: " + name + ", namespace: default}, spec: {accessModes: [ReadWriteMany], volumeName: v-" + name + "}, status: {phase: Bound}}\n---\n" +
		"{apiVersion: v1, kind: PersistentVolume, metadata: {name: v-" + name + "}, spec: {capacity: {storage: 1Gi}, accessModes: [ReadWriteMany], claimRef: {namespace: default, name: " + name + "}, csi: {driver: ebs, volumeHandle: " + name + "}}}\n---\n"
}

const pendingNode = `{apiVersion: v1, kind: Node, metadata: {name: n1, labels: {disk: ssd}}, status: {allocatable: {cpu: "4", memory: 16Gi, pods: "3"}, conditions: [{type: Ready, status: "True"}]}}
---
`

// These are rules about pending pods besides filters and scores. The expected decisions are from
// kube-scheduler v1.34.2.
func TestAnswersAboutPendingPods(t *testing.T) {
	pod := func(name, spec, status string, more ...string) string {
		meta := strings.Join(append([]string{"name: " + name + ", namespace: default, creationTimestamp: \"2026-01-01T0" + name[1:] + ":00:00Z\""}, more...), ", ")
		return "{apiVersion: v1, kind: Pod, metadata: {" + meta + "}, spec: {" + spec + "}, status: {" + status + "}}\n---\n"
	}
	asks := func(cpu string) string {
		return "containers: [{name: c, image: i, resources: {requests: {cpu: " + cpu + ", memory: 64Mi}}}]"
	}
	tainted := strings.Replace(pendingNode, "status:", "spec: {taints: [{key: node.kubernetes.io/disk-pressure, effect: NoSchedule}]}, status:", 1)
	for name, test := range map[string]struct{ dump, want string }{
		"another scheduler": {pendingNode + pod("p1", asks("1")+", schedulerName: volcano", "phase: Pending"), "p1 stays pending: The scheduler volcano decides about it; Berth replays kube-scheduler alone."},
		"resource claims":   {pendingNode + pod("p1", asks("1")+", resourceClaims: [{name: gpu}]", "phase: Pending"), "p1 stays pending: It asks for devices by resource claims (gpu), which Berth does not replay."},
		"image pull": {pendingNode + pod("p1", asks("1")+", nodeName: n1", "phase: Pending, containerStatuses: [{name: c, state: {waiting: {reason: ImagePullBackOff}}}]"),
			"No pod waits for a node; 1 pod is on a node and does not run.\np1 is on n1 and does not run: ImagePullBackOff\n"},
		"being created": {pendingNode + pod("p1", asks("1")+", nodeName: n1", "phase: Pending, containerStatuses: [{name: c, state: {waiting: {reason: ContainerCreating}}}]"), "No pod is pending.\n"},
		"resize in place": {pendingNode + pod("p1", asks("500m")+", nodeName: n1", "phase: Running, containerStatuses: [{name: c, resources: {requests: {cpu: 3500m}}}]") + pod("p2", asks("1"), "phase: Pending"),
			"p2 stays pending: 0/1 nodes are available: 1 Insufficient cpu."},
		"resize that the node cannot do": {pendingNode + pod("p1", asks("9")+", nodeName: n1", "phase: Running, conditions: [{type: PodResizePending, reason: Infeasible}], containerStatuses: [{name: c, resources: {requests: {cpu: 1}}}]") + pod("p2", asks("1"), "phase: Pending"),
			"p2 → n1"},
		"victim of the latest start": {pendingNode +
			pod("p1", asks("1")+", nodeName: n1", "phase: Running, startTime: \"2026-01-03T00:00:00Z\"") + pod("p2", asks("1")+", nodeName: n1", "phase: Running, startTime: \"2026-01-02T00:00:00Z\"") +
			pod("p3", asks("1")+", nodeName: n1", "phase: Running, startTime: \"2026-01-02T00:00:00Z\"") + pod("p4", asks("1")+", priority: 9", "phase: Pending"),
			"p4 → n1; preempts p1"},
		"a node promised to a pod that waits for its victim": {pendingNode +
			pod("p1", asks("3")+", nodeName: n1", "phase: Running, conditions: [{type: DisruptionTarget, status: \"True\", reason: PreemptionByScheduler}]", "deletionTimestamp: \"2026-01-02T00:00:00Z\"") +
			pod("p2", asks("4")+", priority: 9", "phase: Pending, nominatedNodeName: n1") + pod("p3", asks("1")+", priority: 5", "phase: Pending") + pod("p4", asks("1")+", priority: 10", "phase: Pending"),
			"2 pods stay pending: for 1, 1 of 1 nodes lack cpu; free 4 CPU cores on n1.\np2 stays pending: 0/1 nodes are available: 1 Insufficient cpu.\n  would help: free 4 CPU cores on n1\n    held by p1 (3 CPU cores), p4 (1 CPU core)\n" +
				"    kubectl get pods -A --field-selector spec.nodeName=n1\np3 stays pending: 0/1 nodes are available: 1 Insufficient cpu, 1 Too many pods.\n"},
		"the node promised to a pod comes first": {pendingNode + strings.ReplaceAll(pendingNode, "n1", "n2") + pod("p1", asks("1")+", nodeName: n2", "phase: Running") + pod("p2", asks("1"), "phase: Pending, nominatedNodeName: n2"),
			"p2 → n2\n"},
		"two resources that no node has": {pendingNode + pod("p1", "containers: [{name: c, resources: {requests: {example.com/foo: 1, nvidia.com/gpu: 1}}}]", "phase: Pending"),
			"p1 stays pending: 0/1 nodes are available: 1 Insufficient example.com/foo, 1 Insufficient nvidia.com/gpu."},
		"a node under pressure": {tainted + pod("p1", asks("1"), "phase: Pending"), "would help: free disk space on n1\n"},
		"a label that does not suffice": {pendingNode + pod("p1", asks("1")+", nodeSelector: {zone: a}, affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: disk, operator: In, values: [hdd]}]}]}}}", "phase: Pending"),
			"would help: change the node selector zone=a and the required node affinity, which exclude n1\n"},
		"volumes that a node attaches": {pendingNode + "{apiVersion: storage.k8s.io/v1, kind: CSINode, metadata: {name: n1}, spec: {drivers: [{name: ebs, allocatable: {count: 1}}]}}\n---\n" +
			claimOn("a") + claimOn("b") + pod("p1", asks("1")+", nodeName: n1, volumes: [{name: v, persistentVolumeClaim: {claimName: a}}]", "phase: Running") +
			pod("p2", asks("1")+", volumes: [{name: v, persistentVolumeClaim: {claimName: b}}]", "phase: Pending") + pod("p3", asks("1")+", volumes: [{name: v, persistentVolumeClaim: {claimName: a}}]", "phase: Pending"),
			"p2 stays pending: 0/1 nodes are available: 1 node(s) exceed max volume count.\n  would help: stop a pod with volumes on n1, which cannot attach more\n    kubectl get pods -A --field-selector spec.nodeName=n1\np3 → n1"},
		"a quota": {pendingNode + "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {replicas: 3, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {" + asks("1") +
			"}}}, status: {replicas: 1, conditions: [{type: ReplicaFailure, status: \"True\", message: \"exceeded quota: q\"}]}}\n",
			"2 pods of web cannot be created; raise the quota q, or request less.\nDeployment/web lacks 2 pods, which cannot be created: exceeded quota: q\n"},
	} {
		if got := pendingOf(t, test.dump); !strings.Contains(got, test.want) {
			t.Errorf("%s:\n%swant %s", name, got, test.want)
		}
	}
}

// pendingOf returns the answer about the pending pods of a dump.
func pendingOf(t *testing.T, dump string) string {
	t.Helper()
	var text strings.Builder
	kube.Pending(kube.Default(), cluster(t, "dump.yaml", dump)).WriteText(&text)
	return text.String()
}

// The answer about 200 equal pods is short, whether or not they find nodes.
func TestAnswersAreShort(t *testing.T) {
	for cpu, want := range map[string]string{
		"10m": "The scheduler finds a node for all 200 pending pods.\nReplicaSet/web: 200 pods → n1 ×104, n2 ×96\n",
		"3":   "198 pods stay pending: 2 of 2 nodes lack cpu; free 2 CPU cores on n1.\nReplicaSet/web: 198 pods stay pending: 0/2 nodes are available: 2 Insufficient cpu.\n",
	} {
		dump := pendingNode + strings.ReplaceAll(pendingNode, "n1", "n2")
		for i := range 200 {
			dump += fmt.Sprintf("{apiVersion: v1, kind: Pod, metadata: {name: web-%03d, namespace: default, ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: web, controller: true}]}, "+
				"spec: {containers: [{name: c, image: i, resources: {requests: {cpu: %q}}}]}, status: {phase: Pending}}\n---\n", i, cpu)
		}
		if got := pendingOf(t, strings.ReplaceAll(dump, `pods: "3"`, `pods: "110"`)); !strings.HasPrefix(got, want) || strings.Count(got, "\n") > 12 {
			t.Errorf("pods of %s:\n%s", cpu, got)
		}
	}
}
