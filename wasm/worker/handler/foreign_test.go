package handler_test

import (
	"testing"

	"berth/engine/federate/federatekind"
	"berth/engine/kube/fragment"
	"berth/engine/placement/placementkind"
	"berth/engine/qos/qoskind"
	"berth/engine/scenario"
	"berth/engine/study"
	"berth/wasm/bridge"
)

// A worker reads the traces, graphs and objects of other systems in every use.
func TestFormatsOfOthers(t *testing.T) {
	const (
		swf   = "1 0 0 10 2 -1 -1 2 -1 -1 1 1 1 -1 -1 -1 -1 -1\n"
		nodes = "sn,cpu_milli,memory_mib,gpu,model\na,8000,8192,2,T4\n"
		pods  = "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time\nx,1000,1024,1,500,,LS,Running,0\n"
		alone = "graph { a [request=1, limit=1] }"
	)
	source := func(text string) scenario.Source { return scenario.Source{Name: "f", Text: text} }
	own := source("id,job,submit_s,duration_s,cpu,memory,class\na,1,0,10,1,1,gold\n")
	policies, terms := []qoskind.PolicyRun{{Name: "qos"}}, source("{1.5}.\n")
	for name, s := range map[string]scenario.Scenario{
		"a trace":     federatekind.New("", federatekind.Document{Trace: source(swf), Workers: 4, GMs: 1, LMs: 1, Schedulers: []string{"megha"}}),
		"requests":    qoskind.New("", qoskind.Document{Workload: source(pods), Hosts: source("name,cpu,memory\na,2,4\n"), Policies: policies}),
		"hosts":       qoskind.New("", qoskind.Document{Workload: own, Hosts: source(nodes), Policies: policies}),
		"overheads":   qoskind.New("", qoskind.Document{Workload: own, Hosts: source("name,cpu,memory\na,2,4\n"), Overheads: &terms, Policies: policies}),
		"networks":    placed("graph [ node [ id 0 label \"a\" cpu 4 cpuCost 1 ] ]", alone, placementkind.StrategyRun{Name: "heuristic"}),
		"manifests":   placed("apiVersion: v1\nkind: Node\nmetadata: {name: a}\nstatus: {allocatable: {cpu: 4, memory: 1Gi, pods: 10}}\n", alone, placementkind.StrategyRun{Name: "heuristic"}),
		"pods of GPU": fragment.New("", fragment.Document{Nodes: source(nodes), Pods: source(pods), Policies: []string{"fgd"}, Seed: 1}),
	} {
		pool := pool(&clock{})
		_, err := pool.Run(t.Context(), bridge.Input{Scenario: s}, nil)
		_, study := bridge.AskTool(t.Context(), pool, study.RunQuestion, string(scenario.Encode(s)), nil)
		for use, err := range map[string]error{name: err, name + " as a run of an experiment": study} {
			if err != nil {
				t.Errorf("%s: %v", use, err)
			}
		}
	}
}
