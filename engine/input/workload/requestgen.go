package workload

import (
	"cmp"
	"fmt"
	"io"
	"math"

	"berth/engine/cluster"
	"berth/engine/sim"
	"berth/engine/stats"
)

// Stream numbers of the random generators; see [sim.NewRandom].
const (
	orderStream = iota + 200
	googleStream
	hostStream
	shrinkStream
	sampleStream
	hourStream
	rackStream
)

// Validation1 returns the workload of the first validation test: 80 gold, 80 silver
// and 96 bronze requests, submitted one per second in random order and active to the
// end of the hour.
func Validation1(seed uint64) []Request {
	return validation(seed, []string{"gold", "silver", "bronze"}, []int{80, 80, 96})
}

// Validation2 returns the workload of the second validation test: 221 silver
// requests.
func Validation2(seed uint64) []Request {
	return validation(seed, []string{"silver"}, []int{221})
}

func validation(seed uint64, classes []string, numbers []int) []Request {
	const eachNeeds = 375 * cluster.Unit / 1000
	var all []Request
	for c, class := range classes {
		for range numbers[c] {
			id := len(all) + 1
			all = append(all, Request{
				ID: fmt.Sprint(id), Job: int64(id), Duration: 2 * sim.Hour,
				CPU: eachNeeds, Memory: eachNeeds, Class: class, Priority: NoPriority,
			})
		}
	}
	ordered := make([]Request, len(all))
	for i, from := range sim.NewRandom(seed, orderStream).Permutation(len(all)) {
		ordered[i] = all[from]
		ordered[i].Submit = sim.Milliseconds(i) * sim.Second
	}
	return ordered
}

// ValidationHosts returns the hosts of both tests: 20 hosts with 3.75 CPU and 3.75
// GB.
func ValidationHosts() []cluster.Host {
	hosts := make([]cluster.Host, 20)
	for i := range hosts {
		hosts[i] = cluster.Host{Name: fmt.Sprint("Host_", i+1), CPU: 375 * cluster.Unit / 100, Memory: 375 * cluster.Unit / 100}
	}
	return hosts
}

// GoogleLike generates workloads that roughly resemble the Google trace of 2011:
// bursts of identical tasks, log-normal durations with a Pareto tail, a daily rhythm,
// peaks, and residents that are active from start to end.
type GoogleLike struct {
	Requests int
	Length   sim.Milliseconds // from the first arrival to the last
	Seed     uint64
	Stretch  float64 // factor on the usual durations; 0 means 1
}

// The shape of the workload. With these values the ratio of demand to arrival rate is
// about that in the trace.
const (
	residents      = 0.7  // in units of the number of arrivals per hour
	medianDuration = 420  // s
	sigmaDuration  = 1.15 // standard deviation of the logarithm
	paretoShare    = 0.06 // fraction of jobs with a Pareto tail
	paretoScale    = 3600 // s
	paretoShape    = 1.3
	longest        = 3 * 86400 // s
	bigJob         = 0.04      // fraction of jobs that are large bursts
	peaks          = 5
)

// Stream generates the requests one by one in constant memory.
func (g GoogleLike) Stream() Stream {
	s := &googleLike{GoogleLike: g, jobStream: jobStream{random: sim.NewRandom(g.Seed, googleStream), left: g.Requests}}
	s.next, s.Stretch = s.nextJob, cmp.Or(g.Stretch, 1)
	s.residents = int(residents * s.Stretch * float64(g.Requests) * float64(sim.Hour) / float64(g.Length))
	for range peaks {
		s.peaks = append(s.peaks, s.random.Float64())
	}
	return s
}

type googleLike struct {
	GoogleLike
	jobStream
	peaks     []float64 // start of each peak, as a fraction of the length
	residents int
	now       float64
}

// jobStream yields the requests of jobs that are drawn one after the other.
type jobStream struct {
	random *sim.Random
	next   func()  // begins the next job
	left   int     // requests left in total
	number int64   // number of the current job
	task   Request // task of the current job
	tasks  int     // tasks left in the current job
}

// Read implements [Stream].
func (s *jobStream) Read(buffer []Request) (int, error) {
	if s.left == 0 {
		return 0, io.EOF
	}
	n := min(len(buffer), s.left)
	for i := range buffer[:n] {
		if s.tasks == 0 {
			s.next()
		}
		s.tasks--
		buffer[i] = s.task
	}
	s.left -= n
	return n, nil
}

func (g *googleLike) nextJob() {
	g.number++
	g.task = Request{Job: g.number}
	g.demand()
	if g.residents > 0 {
		g.tasks = min(g.residents, 1+g.random.IntN(20))
		g.residents -= g.tasks
		g.task.Duration = g.Length + sim.Hour
		g.task.Priority = pickWeighted(g.random, []int{9, 4, 0}, []float64{0.6, 0.3, 0.1})
		return
	}
	g.tasks = g.size()
	g.advance()
	g.task.Submit = sim.Milliseconds(g.now) * sim.Second
	g.task.Duration = g.duration()
	g.task.Priority = pickWeighted(g.random, []int{10, 4, 1, 0}, []float64{0.06, 0.44, 0.2, 0.3})
}

// demand draws one of the common task sizes in the trace.
func (g *googleLike) demand() {
	cpu := pickWeighted(g.random, []int{125, 250, 312, 625, 1250, 2500}, []float64{0.2, 0.3, 0.2, 0.2, 0.08, 0.02})
	memory := pickWeighted(g.random, []int{80, 159, 318, 636, 1000, 1600}, []float64{0.25, 0.35, 0.22, 0.12, 0.05, 0.01})
	g.task.CPU, g.task.Memory = cluster.Amount(cpu)*cluster.Unit/10000, cluster.Amount(memory)*cluster.Unit/10000
}

func (g *googleLike) size() int {
	mean := 6.0
	if g.random.Float64() < bigJob {
		mean = 150
	}
	return 1 + int(mean*g.random.Exponential())
}

// advance moves the clock by a random gap, which is shorter by day and in peaks.
func (g *googleLike) advance() {
	seconds := float64(g.Length) / 1000
	const meanSize = 0.5 + 6*(1-bigJob) + 150*bigJob
	gap := (seconds - g.now) * meanSize / float64(g.left) // corrects the drift so far
	rate := 1 + float64(0.35*stats.Cos(2*math.Pi*(g.now/86400-0.6)))
	for _, peak := range g.peaks {
		if d := g.now - float64(peak*seconds); d >= 0 && d < 2*3600 {
			rate += 0.8
		}
	}
	g.now = min(g.now+float64(gap/rate*g.random.Exponential()), seconds)
}

func (g *googleLike) duration() sim.Milliseconds {
	var seconds float64
	if g.random.Float64() < paretoShare {
		seconds = paretoScale * stats.Exp(g.random.Exponential()/paretoShape)
	} else {
		seconds = medianDuration * stats.Exp(float64(sigmaDuration*g.random.Normal()))
	}
	return sim.Milliseconds(max(1, min(g.Stretch*seconds, longest))) * sim.Second
}

func pickWeighted(r *sim.Random, values []int, weights []float64) int {
	x := r.Float64()
	for i, w := range weights {
		x -= w
		if x < 0 {
			return values[i]
		}
	}
	return values[len(values)-1]
}

// GoogleHosts returns n hosts with the sizes and proportions of the Google trace of
// 2011 (Reiss et al., SoCC 2012, table 1).
func GoogleHosts(n int, seed uint64) []cluster.Host {
	r := sim.NewRandom(seed, hostStream)
	shapes := [][2]cluster.Amount{{500, 500}, {500, 250}, {500, 750}, {1000, 1000}, {250, 250}, {500, 120}}
	weights := []float64{0.535, 0.308, 0.08, 0.063, 0.01, 0.004}
	hosts := make([]cluster.Host, n)
	for i := range hosts {
		shape := shapes[pickWeighted(r, []int{0, 1, 2, 3, 4, 5}, weights)]
		hosts[i] = cluster.Host{
			Name: fmt.Sprint("machine-", i+1), CPU: shape[0] * cluster.Unit / 1000, Memory: shape[1] * cluster.Unit / 1000,
		}
	}
	return hosts
}
