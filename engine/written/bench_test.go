package written_test

import (
	"context"
	"testing"

	"berth/engine/cluster"
	"berth/engine/federate"
	"berth/engine/federate/federatetest"
	"berth/engine/input/workload"
	"berth/engine/must"
	"berth/engine/policy"
	"berth/engine/qos"
	"berth/engine/sim"
)

// This runs 100,000 requests on 115 almost full hosts, with a policy of ten lines.
func BenchmarkRequests(b *testing.B) {
	const n = 100_000
	random := sim.NewRandom(1, 0)
	requests := make([]workload.Request, n)
	at := sim.Milliseconds(0)
	classes := []string{"gold", "silver", "bronze"}
	for i := range requests {
		at += sim.Milliseconds(random.IntN(200))
		requests[i] = workload.Request{
			Job: int64(i), Submit: at, Duration: sim.Milliseconds(1000 + random.IntN(120_000)), Class: classes[random.IntN(3)], Priority: workload.NoPriority,
			CPU: cluster.Amount(1+random.IntN(3)) * cluster.Unit / 2, Memory: cluster.Unit,
		}
	}
	var hosts []cluster.Host
	for i := range 115 {
		hosts = append(hosts, cluster.Host{Name: string(rune('a'+i%26)) + string(rune('0'+i/26)), CPU: 6 * cluster.Unit, Memory: 64 * cluster.Unit})
	}
	p := must.Get(qos.Language.Plugin(policy.Text{Name: "ten", Text: tenLines}))(b)
	for b.Loop() {
		must.Get(qos.Run(context.Background(), qos.Input{Hosts: hosts, InAll: n, Requests: &workload.Slice{Requests: requests}},
			qos.Config{Classes: qos.GoogleClasses(10 * sim.Second), Policy: p.New(nil), Watchdog: 10 * sim.Second, Alpha: -1, HotSet: []sim.Milliseconds{0}, ColdSet: []sim.Milliseconds{0}}))(b)
	}
}

const tenLines = `
def queue(request, now):
    if request.availability < request.slo:
        return (0, request.importance)
    return (1, request.importance)

def may_preempt(request, victim, now):
    if request.importance >= victim.importance:
        return False
    return True
`

// This runs 100,000 tasks on 1,000 workers.
func BenchmarkTasks(b *testing.B) {
	for _, name := range []string{"fcfs", "sparrow"} {
		b.Run(name, func(b *testing.B) {
			load := must.Get(workload.GenerateJobs(workload.JobRecipe{
				Seed: 1, Jobs: 50_000, Interarrival: 0.01, Tasks: workload.Pareto{Least: 2, Most: 2.0001, Shape: 1}, Duration: workload.Pareto{Least: 1, Most: 10, Shape: 1.1},
			}))(b)
			c := federatetest.Case{Config: federate.Default(1000, 3, 3), Load: load}
			c.Config.Written = []federate.Plugin{pluginOf(b, name)}
			for b.Loop() {
				r := must.Get(federate.Run(b.Context(), "mine", c.Config, c.Load, federate.Options{}))(b)
				b.ReportMetric(float64(r.Tasks), "tasks")
			}
		})
	}
}
