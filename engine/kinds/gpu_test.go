package kinds_test

import (
	"strings"
	"testing"

	"berth/engine/input/format"
	_ "berth/engine/kinds"
	"berth/engine/kube/handover"
	"berth/engine/must"
	"berth/engine/placement/placementkind"
	"berth/engine/qos/qoskind"
	"berth/engine/scenario"
)

const gpuNode = `apiVersion: v1
kind: Node
metadata: {name: n1}
status: {allocatable: {cpu: "64", memory: 256Gi, pods: "110", nvidia.com/gpu: "1"}}
`

func gpuPods(replicas string) string {
	return `apiVersion: apps/v1
kind: Deployment
metadata: {name: t}
spec:
  replicas: ` + replicas + `
  template:
    metadata: {labels: {app: t}}
    spec: {containers: [{name: t, resources: {limits: {cpu: "1", memory: 1Gi, nvidia.com/gpu: "1"}}}]}
`
}

// Whole GPUs of nodes and pods become devices. Pods with one GPU each never share it.
func TestGPUsComeAlong(t *testing.T) {
	one, found := handover.Read([]format.File{{Name: "n.yaml", Text: gpuNode}}, []format.File{{Name: "d.yaml", Text: gpuPods("3")}}, nil)
	if one == nil {
		t.Fatal(found)
	}
	d := &qoskind.Document{Horizon: 60}
	d.Hosts = handover.Hosts(one, "n.yaml")
	handover.PutControllers(one, nil, d)
	if !strings.Contains(d.Hosts.Text, "name,cpu,memory,attributes,gpus\nn1,64,256,job-0=yes,1\n") || d.Controllers[0].GPUs != 1 {
		t.Errorf("hosts %q, controllers %+v", d.Hosts.Text, d.Controllers)
	}
	d.Policies = []qoskind.PolicyRun{{Name: "priority"}}
	r := must.Get(scenario.Run(t.Context(), qoskind.New("gpus", *d), scenario.Env{}))(t)
	if run := r.Body.(*qoskind.Report).Policies[0].Run; run.All.Fulfilled != 1 || run.Peak.GPUs != 3 {
		t.Errorf("%d of %d met their SLO, and ask for %d GPUs at once", run.All.Fulfilled, run.All.Requests, run.Peak.GPUs)
	}
}

// A share of a GPU is a share of one device. On two GPUs two pods with 600 thousandths each fit,
// and three do not, although the total would be enough. Pods that accept only another model fit
// nowhere. Nodes come from manifests or from a list of openb.
func TestPlacementSharesDevices(t *testing.T) {
	nodes := []placementkind.GraphSource{
		{Name: "n.yaml", Text: strings.Replace(gpuNode, `nvidia.com/gpu: "1"`, `alibabacloud.com/gpu-count: "2", alibabacloud.com/gpu-milli: "2000"`, 1)},
		{Name: "n.csv", Text: "sn,cpu_milli,memory_mib,gpu,model\nn1,64000,262144,2,T4\n"},
	}
	nodes[0].Text = strings.Replace(nodes[0].Text, "{name: n1}", "{name: n1, labels: {alibabacloud.com/gpu-card-model: T4}}", 1)
	const resources = `nvidia.com/gpu: "1"`
	share := func(replicas, model string) string {
		text := strings.Replace(gpuPods(replicas), resources, `alibabacloud.com/gpu-count: "1", alibabacloud.com/gpu-milli: "600"`, 1)
		return strings.Replace(text, "metadata: {labels", `metadata: {annotations: {alibabacloud.com/gpu-card-model: "`+model+`"}, labels`, 1)
	}
	annotated := strings.Replace(strings.Replace(share("3", "T4"), `, alibabacloud.com/gpu-count: "1", alibabacloud.com/gpu-milli: "600"`, "", 1),
		"annotations: {", `annotations: {alibabacloud.com/gpu-count: "1", alibabacloud.com/gpu-milli: "600", `, 1)
	for _, federation := range nodes {
		for text, want := range map[string]string{
			share("2", "P100|T4"): "",
			share("2", "P100"):    "0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector.",
			share("3", "T4"):      "0/1 nodes are available: 1 node(s) had no GPU with enough left. 2 of 3 pods fit.",
			annotated:             "0/1 nodes are available: 1 node(s) had no GPU with enough left. 2 of 3 pods fit.",
		} {
			d := placementkind.Document{Strategies: []placementkind.StrategyRun{{Name: "exact"}}, Federation: federation}
			d.Deployments = []placementkind.GraphSource{{Name: "d.yaml", Text: text}}
			r := must.Get(scenario.Run(t.Context(), placementkind.New("gpus", d), scenario.Env{}))(t)
			one := r.Body.(*placementkind.Report).Strategies[0].Deployments[0]
			if got := one.Reason; got != want {
				t.Errorf("%s: %q, want %q", federation.Name, got, want)
			}
		}
	}
}

// The same holds in a placement: one pod fits on a node with one GPU, and three do not.
func TestPlacementNeverSharesAGPU(t *testing.T) {
	for replicas, want := range map[string]bool{"1": true, "3": false} {
		d := placementkind.Document{Strategies: []placementkind.StrategyRun{{Name: "heuristic"}}}
		d.Federation = placementkind.GraphSource{Name: "n.yaml", Text: gpuNode}
		d.Deployments = []placementkind.GraphSource{{Name: "d.yaml", Text: gpuPods(replicas)}}
		r := must.Get(scenario.Run(t.Context(), placementkind.New("gpus", d), scenario.Env{}))(t)
		if complete := r.Body.Complete(); complete != want {
			t.Errorf("%s pods of one GPU on a node with one: placed %v", replicas, complete)
		}
	}
}
