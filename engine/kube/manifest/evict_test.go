package manifest_test

import (
	"fmt"
	"strings"
	"testing"

	"berth/engine/kube"
)

// These reasons keep a pod on a node that is drained, according to the API of Kubernetes v1.34.
func TestEvictions(t *testing.T) {
	const dump = `
apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: Node, metadata: {name: n1}, status: {allocatable: {cpu: "4", memory: 8Gi, pods: "110"}}}
- {apiVersion: v1, kind: Node, metadata: {name: n2}, status: {allocatable: {cpu: "4", memory: 8Gi, pods: "110"}}}
- {apiVersion: v1, kind: Pod, metadata: {name: a, labels: {app: a}, ownerReferences: [{kind: ReplicaSet, name: a, controller: true}]}, spec: {nodeName: n1, containers: []}, status: %s}
- {apiVersion: v1, kind: Pod, metadata: {name: b, labels: {app: a}, ownerReferences: [{kind: ReplicaSet, name: a, controller: true}]}, spec: {nodeName: n2, containers: []}, status: {phase: Running}}
- {apiVersion: %s, kind: PodDisruptionBudget, metadata: {name: a}, spec: {%s}, status: %s}
`
	const (
		v1, one                  = "policy/v1", "selector: {matchLabels: {app: a}}"
		ready, unready, starting = `{phase: Running, conditions: [{type: Ready, status: "True"}]}`, `{phase: Running, conditions: [{type: Ready, status: "False"}]}`, `{phase: Pending}`
		enough, short            = "{disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 1}", "{disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 1}"
	)
	for _, test := range []struct {
		pod, version, spec, status string
		blocked                    bool
	}{
		{ready, v1, one, enough, true},
		{`{phase: Running}`, v1, one, enough, true},
		{ready, v1, one, "{disruptionsAllowed: 1}", false},
		{ready, v1, "selector: {}", enough, true},
		{ready, v1, "minAvailable: 1", enough, false},
		{ready, "policy/v1beta1", "selector: {}", enough, false},
		{ready, "policy/v1beta1", one, enough, true},
		{unready, v1, one, enough, false},
		{unready, v1, one, short, true},
		{unready, v1, one, "{disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0}", true},
		{unready, v1, one + ", unhealthyPodEvictionPolicy: IfHealthyBudget", short, true},
		{unready, v1, one + ", unhealthyPodEvictionPolicy: AlwaysAllow", short, false},
		{ready, v1, one + ", unhealthyPodEvictionPolicy: AlwaysAllow", short, true},
		{starting, v1, one, short, false},
		// without a status
		{ready, v1, one + ", minAvailable: 1", "{}", false},
		{ready, v1, one + ", minAvailable: 2", "{}", true},
		{unready, v1, one + ", minAvailable: 1", "{}", false},
		{unready, v1, one + ", minAvailable: 2", "{}", true},
		{ready, v1, one + ", maxUnavailable: 50%", "{}", false},
		{ready, v1, one + ", maxUnavailable: 0", "{}", true},
	} {
		c := cluster(t, "dump.yaml", fmt.Sprintf(dump, test.pod, test.version, test.spec, test.status))
		d, err := kube.Drain(kube.Default(), []string{"n1"}, c)
		if err != nil || (len(d.Blocked) > 0) != test.blocked {
			t.Errorf("%+v: blocked %v %v", test, d.Blocked, err)
		}
	}
}

// These are the scheduler's messages about pods whose claims no node can bind. A missing object is
// reported once.
func TestClaimsThatBar(t *testing.T) {
	const (
		dump = `
apiVersion: v1
kind: Node
metadata: {name: n1}
status: {allocatable: {cpu: "4", memory: 8Gi, pods: "110"}}
---
apiVersion: v1
kind: Pod
metadata: {name: p}
spec: {containers: [], volumes: [{name: v, persistentVolumeClaim: {claimName: data}}]}
---
apiVersion: v1
kind: Pod
metadata: {name: q}
spec: {containers: [], volumes: [{name: v, persistentVolumeClaim: {claimName: data}}]}
`
		claim   = "---\napiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: %s}\nspec: {accessModes: [ReadWriteMany]%s}\nstatus: {phase: %s}\n"
		class   = "---\napiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: %s}\nprovisioner: x\nvolumeBindingMode: %s\n"
		unbound = "pod has unbound immediate PersistentVolumeClaims"
		of      = ", storageClassName: c"
	)
	delayed, immediate := fmt.Sprintf(class, "c", "WaitForFirstConsumer"), fmt.Sprintf(class, "c", "Immediate")
	for _, test := range []struct{ more, words, missing string }{
		{"", "", "the claim default/data is not in the input: every node is taken to reach its volume"},
		{fmt.Sprintf(claim, "other", "", "Bound"), `persistentvolumeclaim "data" not found`, ""},
		{strings.Replace(fmt.Sprintf(claim, "other", "", "Bound"), "status: {phase: Bound}\n", "", 1), "", "the claim default/data is not in the input: every node is taken to reach its volume"},
		{fmt.Sprintf(claim, "data", of, "Pending") + delayed, "", ""},
		{fmt.Sprintf(claim, "data", of, "Pending") + immediate, unbound, ""},
		{fmt.Sprintf(claim, "data", of, "Bound") + immediate, "", ""},
		{fmt.Sprintf(claim, "data", of, "Pending") + fmt.Sprintf(class, "another", "WaitForFirstConsumer"), unbound, ""},
		{fmt.Sprintf(claim, "data", of, "Pending"), "", "the StorageClass c of the claim default/data is not in the input: every node is taken to reach its volume"},
		{fmt.Sprintf(claim, "data", "", "Pending"), unbound, ""},
		{fmt.Sprintf(claim, "data", of+", volumeName: x", "Pending") + delayed, unbound, "the volume x of the claim default/data is not in the input: every node is taken to reach it"},
		{fmt.Sprintf(claim, "data", ", volumeName: x", "Lost"), `persistentvolumeclaim "data" bound to non-existent persistentvolume "x"`, "the volume x of the claim default/data is not in the input: every node is taken to reach it"},
		{strings.Replace(fmt.Sprintf(claim, "data", of, "Pending"), "{name: data}", "{name: data, deletionTimestamp: x}", 1) + delayed, `persistentvolumeclaim "data" is being deleted`, ""},
	} {
		c := cluster(t, "dump.yaml", dump+test.more)
		words := test.words
		if words != "" {
			words = "0/1 nodes are available: " + words + "."
		}
		a := kube.Pending(kube.Default(), c).Pods[0]
		if missing := strings.Join(c.Missing(), "; "); a.Words != words || missing != test.missing {
			t.Errorf("%s\n%q %q, want %q %q", test.more, a.Words, missing, words, test.missing)
		}
		if len(a.Help) != min(1, len(words)) {
			t.Errorf("%s: would help: %q", test.more, a.Help)
		}
	}
}
