package workload

import (
	"math"
	"strconv"

	"berth/engine/cluster"
	"berth/engine/sim"
	"berth/engine/stats"
)

// FirstHour generates workloads that resemble the hour of the Google trace of 2011
// published by the authors of the QoS-driven scheduler: requests that were already
// active in the first second, then bursts of identical silver tasks with
// anti-affinity, and small jobs between the bursts.
type FirstHour struct {
	Requests   int
	Length     sim.Milliseconds // from the first arrival to the last
	Seed       uint64
	Stretch    float64 // factor on the usual durations
	Burst      float64 // median duration of the tasks in a burst, s
	BurstClass int     // class of the bursts: 0 gold, 1 silver, 2 bronze
}

// Figures of the published hour with lower contention: 22,899 requests at 361 distinct times; 7.7 %
// gold, 76.7 % silver, 15.6 % bronze.
const (
	UsualBurst      = 300 // s
	momentsPerHour  = 361.
	burstsPerHour   = 15.
	startPart       = 0.185 // fraction of requests at the start
	burstPart       = 0.69  // fraction of requests in bursts
	burstJobs       = 20    // jobs per burst
	constrainedPart = 0.056
	apartPart       = 0.02 // fraction of jobs outside of bursts with anti-affinity
)

// classPriority has the priorities of the classes gold, silver and bronze.
var classPriority = [...]int{10, 4, 1}

// RackKey is the attribute that constraints of generated requests require. About 60 %
// of the generated hosts have it.
const RackKey = "rack"

var onRack = []cluster.Constraint{{Key: RackKey, Op: cluster.Equal, Value: "1"}}

// Stream generates the requests one by one in constant memory.
func (g FirstHour) Stream() Stream {
	s := &firstHour{FirstHour: g, jobStream: jobStream{random: sim.NewRandom(g.Seed, hourStream), left: g.Requests}}
	s.next = s.nextJob
	s.start = int(math.Round(startPart * min(1, float64(sim.Hour)/float64(g.Length)) * float64(g.Requests)))
	hours := float64(g.Length) / float64(sim.Hour)
	s.moments = max(2, int(math.Round(momentsPerHour*hours)))
	s.bursts = max(1, int(math.Round(burstsPerHour*hours)))
	return s
}

type firstHour struct {
	FirstHour
	jobStream
	start           int // number of requests at the first moment
	moments, bursts int
	moment          int // current moment, from 0
	ofMoment        int // requests left at the current moment
	burst           bool
}

// nextJob begins a job, at the next moment if the current one has no requests left.
func (g *firstHour) nextJob() {
	if g.number == 0 {
		g.ofMoment = g.start
	}
	for g.ofMoment <= 0 && g.moment < g.moments-1 {
		g.moment++
		g.ofMoment = g.size()
	}
	if g.moment == g.moments-1 { // the last moment gets all remaining requests
		g.ofMoment = g.left
	}
	g.number++
	g.task = Request{Job: g.number, Submit: sim.Milliseconds(float64(g.Length)/float64(g.moments-1)*float64(g.moment)) / sim.Second * sim.Second}
	switch {
	case g.moment == 0:
		g.resident()
	case g.burst:
		g.ofBurst()
	default:
		g.small()
	}
	g.tasks = max(1, min(g.tasks, g.ofMoment, g.left))
	g.ofMoment -= g.tasks
}

// size returns the number of requests at the current moment. Bursts are evenly
// spaced, with a few requests at each moment between them.
func (g *firstHour) size() int {
	before := g.bursts * (g.moment - 1) / (g.moments - 1)
	g.burst = g.bursts*g.moment/(g.moments-1) > before
	if g.burst {
		return int(burstPart * float64(g.Requests) / float64(g.bursts))
	}
	rest := float64((1 - burstPart) * float64(g.Requests))
	mean := max(0, rest-float64(g.start)) / float64(g.moments-g.bursts)
	return int(float64(mean*g.random.Exponential()) + g.random.Float64())
}

// resident draws a job that is active from the start. Bronze residents run for hours,
// gold ones for weeks.
func (g *firstHour) resident() {
	class := pickWeighted(g.random, []int{0, 1, 2}, []float64{0.41, 0.16, 0.43})
	g.demand(class)
	g.tasks = 1 + g.random.IntN(20)
	switch class {
	case 0:
		g.lasts(2_500_000, 0.3)
	case 1:
		g.lasts(600, 1)
	default:
		g.lasts(20_000, 2)
	}
}

// ofBurst draws one of the jobs of a burst. Its tasks are identical and have anti-affinity.
func (g *firstHour) ofBurst() {
	g.demand(g.BurstClass)
	g.tasks = max(1, int(burstPart*float64(g.Requests)/float64(g.bursts)/burstJobs))
	g.task.AntiAffinity = true
	g.lasts(g.Burst, 0.9)
}

func (g *firstHour) small() {
	class := pickWeighted(g.random, []int{0, 1, 2}, []float64{0.01, 0.38, 0.61})
	g.demand(class)
	g.tasks = 1 + int(4*g.random.Exponential())
	g.lasts([...]float64{3600, 300, 2000}[class], 1)
}

// demand draws the size and constraints of a request of a class.
func (g *firstHour) demand(class int) {
	cpu := [...]float64{0.082, 0.027, 0.0236}[class] * stats.Exp(float64(0.6*g.random.Normal())-0.18)
	memory := [...]float64{0.06, 0.0286, 0.0186}[class] * stats.Exp(float64(0.6*g.random.Normal())-0.18)
	g.task.CPU, g.task.Memory = amountOf(min(cpu, 0.25)), amountOf(min(memory, 0.12))
	g.task.Priority = classPriority[class]
	if g.random.Float64() < constrainedPart {
		g.task.Constraints = onRack
	}
	g.task.AntiAffinity = g.random.Float64() < apartPart
}

func amountOf(x float64) cluster.Amount {
	return max(1, cluster.Amount(math.Round(x*10_000))) * cluster.Unit / 10_000
}

// lasts draws a log-normal duration with a median in seconds.
func (g *firstHour) lasts(median, sigma float64) {
	seconds := g.Stretch * median * stats.Exp(float64(sigma*g.random.Normal()))
	g.task.Duration = sim.Milliseconds(max(1, min(seconds, 29*86_400))) * sim.Second
}

// FirstHourHosts returns n hosts with the sizes in the trace. About 60 % have the
// attribute that constraints require.
func FirstHourHosts(n int, seed uint64) []cluster.Host {
	hosts := GoogleHosts(n, seed)
	r := sim.NewRandom(seed, rackStream)
	for i := range hosts {
		rack := pickWeighted(r, []int{1, 0}, []float64{0.6, 0.4})
		hosts[i].Attributes = []cluster.Attribute{{Key: RackKey, Value: strconv.Itoa(rack)}}
	}
	return hosts
}
