package workload

import (
	"fmt"
	"math"

	"berth/engine/budget"
	"berth/engine/cluster"
	"berth/engine/sim"
	"berth/engine/stats"
)

// JobRecipe describes a workload of jobs to generate. The result is the same on every
// machine.
type JobRecipe struct {
	Seed uint64
	Jobs int
	// Interarrival is the mean time between two jobs in seconds. Jobs arrive as a
	// Poisson process. If Burst exceeds 1, a tenth of the jobs arrive in bursts, at
	// Burst times the average rate.
	Interarrival float64
	Burst        float64
	// Tasks is the distribution of the number of tasks in a job, Duration the distribution of a
	// task's seconds.
	Tasks, Duration Pareto
	// Long is the fraction of long jobs, which have their own distributions. If it is positive, the
	// tasks of a job take similar times: each job has a random duration, which is multiplied for
	// each task by a uniform factor from 1 − Spread to 1 + Spread.
	Long                    float64
	LongTasks, LongDuration Pareto
	Spread                  float64
	// CPU and Memory are the bounds of uniform distributions, in units. If both are
	// zero, each task takes one slot.
	CPU, Memory [2]float64
	// Constraints has, for each constraint, the probability that a task requires it.
	Constraints []float64
	Users       int // job k belongs to user k mod Users; 0: no users
}

// Pareto is a Pareto distribution bounded to [Least, Most].
type Pareto struct{ Least, Most, Shape float64 }

// draw samples by inversion of the distribution function.
func (p Pareto) draw(r *sim.Random) float64 {
	if p.Least == p.Most {
		return p.Least
	}
	// x = L·(1 − u·(1 − (L/M)^a))^(−1/a)
	tail := 1 - stats.Exp(p.Shape*stats.Log(p.Least/p.Most))
	x := p.Least * stats.Exp(-stats.Log(1-float64(r.Float64()*tail))/p.Shape)
	return min(max(x, p.Least), p.Most)
}

// Stream numbers of the random generators. Each property of jobs draws from its own stream, so that
// changing one property leaves the others unchanged.
const (
	arrivalStream = 16 + iota
	sizeStream
	requestStream
	machineStream
)

// GenerateJobs generates a workload. The values must be within the bounds of the parameters
// of [JobFigures].
func GenerateJobs(r JobRecipe) (*Tasks, error) { return generateJobs(r, nil) }

// generateJobs is [GenerateJobs] within a budget.
func generateJobs(r JobRecipe, b *budget.Budget) (*Tasks, error) {
	if r.Interarrival*float64(r.Jobs) >= MaxSeconds {
		return nil, fmt.Errorf("interarrival: %v s is out of range: expected more than 0, and all jobs within %v s", r.Interarrival, MaxSeconds)
	}
	g := jobGenerator{
		JobRecipe: &r, budget: b.Or(), load: NewBuilder(SlotResource),
		sizes: sim.NewRandom(r.Seed, sizeStream), requests: sim.NewRandom(r.Seed, requestStream),
	}
	if r.CPU[1] > 0 || r.Memory[1] > 0 {
		g.load.Resources = []string{"cpu", "memory"}
	}
	for u := range r.Users {
		g.load.Users = append(g.load.Users, fmt.Sprintf("user %d", u+1))
	}
	arrivals := sim.NewRandom(r.Seed, arrivalStream)
	at, burst := 0.0, false
	for k := range r.Jobs {
		at += r.gap(arrivals, &burst)
		if err := g.job(k, Nanoseconds(at)); err != nil {
			return nil, err
		}
	}
	return g.load.Tasks, nil
}

// gap draws the time to the next job. The probabilities of starting and ending a
// burst give 50 jobs per burst on average and a tenth of all jobs in bursts.
func (r *JobRecipe) gap(random *sim.Random, burst *bool) float64 {
	gap := r.Interarrival * random.Exponential()
	if r.Burst <= 1 {
		return gap
	}
	if u := random.Float64(); *burst {
		*burst = u >= 1.0/50
	} else {
		*burst = u < 1.0/450
	}
	if *burst {
		return gap / r.Burst
	}
	return gap * (1 - 0.1/r.Burst) / 0.9
}

type jobGenerator struct {
	*JobRecipe
	budget          *budget.Budget
	load            *Builder
	sizes, requests *sim.Random
	request         []cluster.Amount
}

func (g *jobGenerator) job(k int, arrival sim.Nanoseconds) error {
	t := g.load
	tasks, duration := g.sort()
	count := int(math.Round(tasks.draw(g.sizes)))
	count = max(count, 1)
	if len(t.Durations)+count > MaxTasks {
		return fmt.Errorf("tasks: the first %d jobs have more than %d: expected fewer or smaller jobs", k+1, MaxTasks)
	}
	if err := g.budget.Generate(budget.Tasks, count); err != nil {
		return fmt.Errorf("tasks: %w", err)
	}
	job := TaskJob{Arrival: arrival, First: int32(len(t.Durations)), Count: int32(count), User: -1}
	if g.Users > 0 {
		job.User = int32(k % g.Users)
	}
	if g.Long > 0 {
		mean := duration.draw(g.sizes)
		duration = Pareto{mean, mean, 1}
	}
	for range count {
		d := Nanoseconds(g.spread(duration.draw(g.sizes)))
		t.Durations = append(t.Durations, d)
		kind, err := g.kind()
		if err != nil {
			return err
		}
		t.KindOf = append(t.KindOf, kind)
	}
	job.Mean = mean(t.Durations[job.First:])
	t.Jobs = append(t.Jobs, job)
	return nil
}

// sort draws whether a job is long and returns the distributions of its size.
func (g *jobGenerator) sort() (tasks, duration Pareto) {
	if g.Long > 0 && g.sizes.Float64() < g.Long {
		return g.LongTasks, g.LongDuration
	}
	return g.Tasks, g.Duration
}

// spread draws the duration of a task around the job's duration.
func (g *jobGenerator) spread(seconds float64) float64 {
	if g.Long == 0 {
		return seconds
	}
	return seconds * (1 - g.Spread + float64(2*g.Spread*g.sizes.Float64()))
}

func (g *jobGenerator) kind() (int32, error) {
	g.request = append(g.request[:0], cluster.Unit)
	if len(g.load.Resources) == 2 {
		g.request = g.request[:0]
		for _, bounds := range [][2]float64{g.CPU, g.Memory} {
			// Round to hundredths, because users request such amounts and tasks of the same kind
			// recur.
			units := bounds[0] + float64(g.requests.Float64()*(bounds[1]-bounds[0]))
			amount, err := cluster.ToAmount(math.Round(units*100) / 100)
			if err != nil {
				return 0, err
			}
			g.request = append(g.request, amount)
		}
	}
	return g.load.Kind(g.request, drawSet(g.requests, g.Constraints)), nil
}

// drawSet draws a set that contains each number with its probability.
func drawSet(r *sim.Random, probabilities []float64) (set uint64) {
	for c, p := range probabilities {
		if r.Float64() < p {
			set |= 1 << c
		}
	}
	return set
}
