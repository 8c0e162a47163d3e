package qos_test

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"testing"

	"berth/engine/cluster"
	"berth/engine/growth"
	"berth/engine/input/workload"
	"berth/engine/must"
	"berth/engine/qos"
	"berth/engine/qos/qostest/roundrobin"
	"berth/engine/sim"
)

// overheads returns hot and cold overheads in the proportions of the published ones.
func overheads() (hot, cold []sim.Milliseconds) {
	for i := range 100 {
		hot = append(hot, sim.Milliseconds(1+i/60)*sim.Second)
		cold = append(cold, sim.Milliseconds(2+i/60)*sim.Second)
	}
	return hot, cold
}

func benchConfig(policy qos.Policy) qos.Config {
	hot, cold := overheads()
	return qos.Config{
		Policy: policy, Classes: qos.GoogleClasses(qos.Logs.Margin), Watchdog: qos.Logs.Watchdog,
		Alpha: -1, HotSet: hot, ColdSet: cold, Seed: 1,
	}
}

func BenchmarkValidation1(b *testing.B) {
	requests := workload.Validation1(1)
	for b.Loop() {
		for _, policy := range []qos.Policy{qos.QoSDriven(), qos.PriorityBased()} {
			config := benchConfig(policy)
			config.Horizon = 3599 * sim.Second
			input := qos.Input{Hosts: workload.ValidationHosts(), Requests: &workload.Slice{Requests: requests}}
			must.Get(qos.Run(context.Background(), input, config))(b)
		}
	}
}

func googleLike(n int, length sim.Milliseconds) workload.GoogleLike {
	return workload.GoogleLike{Requests: n, Length: length, Seed: 1}
}

func sized(b *testing.B, g workload.GoogleLike, part float64) []cluster.Host {
	b.Helper()
	peak := must.Get(workload.PeakDemand(g.Stream()))(b)
	return must.Get(workload.Size(workload.GoogleHosts(20000, 1), peak, part, 1))(b)
}

// BenchmarkGoogleLike runs a Google-like workload of 13.6 days on infrastructures of size N, 0.9 N
// and 0.8 N. BERTH_BENCH_REQUESTS sets the number of requests.
func BenchmarkGoogleLike(b *testing.B) {
	n := 1000000
	if text := os.Getenv("BERTH_BENCH_REQUESTS"); text != "" {
		n, _ = strconv.Atoi(text)
	}
	g := googleLike(n, 136*sim.Day/10)
	for _, policy := range []qos.Policy{qos.QoSDriven(), qos.PriorityBased()} {
		for _, part := range []float64{1, 0.9, 0.8} {
			b.Run(fmt.Sprintf("%s/%vN", policy.Name, part), func(b *testing.B) {
				hosts := sized(b, g, part)
				var events, preemptions int64
				for b.Loop() {
					r := must.Get(qos.Run(b.Context(), qos.Input{Hosts: hosts, Requests: g.Stream(), InAll: g.Requests}, benchConfig(policy)))(b)
					events, preemptions = events+r.Events, r.Preemptions
				}
				b.ReportMetric(float64(len(hosts)), "hosts")
				b.ReportMetric(float64(preemptions), "preemptions")
				b.ReportMetric(float64(events)/b.Elapsed().Seconds(), "events/s")
			})
		}
	}
}

// BenchmarkWholeTrace has the size of the whole Google trace: 25,000,000 requests over 29 days,
// which run for twice as long as usual. It uses 9,100 hosts, and then the 8,510 hosts that the peak
// demand N needs. It takes minutes, so it runs only if BERTH_BENCH_WHOLE is set.
func BenchmarkWholeTrace(b *testing.B) {
	if os.Getenv("BERTH_BENCH_WHOLE") == "" {
		b.Skip("BERTH_BENCH_WHOLE is not set: 25,000,000 requests take minutes")
	}
	g := googleLike(25000000, 29*sim.Day)
	g.Stretch = 2
	b.Run("9100", func(b *testing.B) { benchWhole(b, g, workload.GoogleHosts(9100, 1)) })
	b.Run("N", func(b *testing.B) { benchWhole(b, g, sized(b, g, 1)) })
}

func benchWhole(b *testing.B, g workload.GoogleLike, hosts []cluster.Host) {
	for b.Loop() {
		r := must.Get(qos.Run(b.Context(), qos.Input{Hosts: hosts, Requests: g.Stream(), InAll: g.Requests}, benchConfig(qos.QoSDriven())))(b)
		var memory runtime.MemStats
		runtime.ReadMemStats(&memory)
		b.ReportMetric(float64(len(hosts)), "hosts")
		b.ReportMetric(float64(r.Preemptions), "preemptions")
		b.ReportMetric(float64(memory.Sys)/1e6, "MB")
	}
}

// BenchmarkSaturated is a workload whose instances start only by preemption: 100,000 Google-like
// requests over 30 hours with seed 1, on 426 hosts, 69 % of the peak demand N. The generator's
// peaks are short, so 0.8 N would be enough most of the time. The run has 1.7 million preemptions.
func BenchmarkSaturated(b *testing.B) {
	g := googleLike(100000, 30*sim.Hour)
	hosts := sized(b, g, 0.69)
	for b.Loop() {
		r := must.Get(qos.Run(b.Context(), qos.Input{Hosts: hosts, Requests: g.Stream(), InAll: g.Requests}, benchConfig(qos.QoSDriven())))(b)
		b.ReportMetric(float64(len(hosts)), "hosts")
		b.ReportMetric(float64(r.Preemptions), "preemptions")
		b.ReportMetric(r.MeanQueue(), "queue")
	}
}

// BenchmarkGrowth measures how time grows with the requests of 13.6 days under each
// policy: on hosts for the peak demand N, and on fewer hosts, where N is 1.5 or 2
// times the capacity. Preemptions may grow faster than requests, and each costs as
// much as a start.
func BenchmarkGrowth(b *testing.B) {
	grow := func(policy qos.Policy, load float64, sizes ...int) func(*testing.B) {
		return func(b *testing.B) {
			growth.Bench(b, sizes, func(b *testing.B, requests int) func() {
				g := googleLike(requests, 136*sim.Day/10)
				hosts := sized(b, g, 1/load)
				return func() {
					r := must.Get(qos.Run(b.Context(), qos.Input{Hosts: hosts, Requests: g.Stream(), InAll: requests}, benchConfig(policy)))(b)
					b.ReportMetric(float64(r.Preemptions), "preemptions")
				}
			})
		}
	}
	b.Run("requests", grow(qos.QoSDriven(), 1, 10_000, 30_000, 100_000, 300_000, 1_000_000))
	for _, load := range []float64{1, 1.5, 2} {
		for _, name := range qos.Names() {
			if name == roundrobin.Plugin.Name { // of a test
				continue
			}
			policy := must.Get(qos.Named(name, nil))(b)
			b.Run(fmt.Sprintf("load=%v/%s", load, name), grow(policy, load, 10_000, 20_000, 40_000, 80_000))
		}
	}
}
