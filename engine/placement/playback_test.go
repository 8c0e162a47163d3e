package placement_test

import (
	"slices"
	"testing"

	"berth/engine/graph"
	"berth/engine/placement"
	"berth/engine/placement/placementtest"
)

// played plays all steps of a strategy.
func played(t *testing.T, p *placement.Problem, strategy string, o placement.Options) []placement.Played {
	t.Helper()
	s, err := placement.Named(strategy, nil)
	if err != nil {
		t.Fatal(err)
	}
	b := placement.Play(t.Context(), s, p, o)
	all := make([]placement.Played, b.Steps())
	for i := range all {
		if all[i], err = b.Step(int64(i)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := b.Step(b.Steps()); err == nil {
		t.Error("there is a step after the last one")
	}
	return all
}

func texts(all []placement.Played) (lines []string) {
	for _, s := range all {
		lines = append(lines, s.Text)
	}
	return lines
}

// Every trial is a step with its reason, and so is every undone placement of a job.
func TestEveryTrialIsPlayed(t *testing.T) {
	d, f := refusing(t)
	p := placement.NewProblem(d, placement.NewCapacity(f, placement.CapacityOptions{}))
	all := played(t, p, "heuristic", placement.Options{Phi: placement.DefaultPhi, Budget: placement.DefaultBudget})
	last := all[len(all)-1]
	laid := slices.EqualFunc(last.Order, []string{"db", "api"}, func(got placement.PlayedJob, want string) bool { return got.Job == want && got.Cluster == "home" })
	if last.Kind != placement.PlayedEnd || last.Text != "2 jobs placed" || !laid {
		t.Errorf("it ends with %+v", last)
	}
	want := []string{
		"db is tried on island, refused: requests 50 cpu, 30 left", "db is placed on home",
		"api is tried on far, refused: latency 31 ms over 20 ms to job db", "api is placed on home",
	}
	for _, line := range want {
		if !slices.Contains(texts(all), line) {
			t.Errorf("%q is no step of %q", line, texts(all))
		}
	}
	s, _ := placement.Named("heuristic", nil)
	b := placement.Play(t.Context(), s, p, placement.Options{Phi: placement.DefaultPhi, Budget: placement.DefaultBudget})
	for _, c := range [][3]int64{{0, 1, 7}, {7, 1, 15}, {15, 1, 16}, {16, 1, 16}, {16, -1, 15}, {9, -1, 7}, {7, -1, 0}} {
		if got := b.Past(c[0], int(c[1])); got != c[2] {
			t.Errorf("past step %d by %d is %d, want %d", c[0], c[1], got, c[2])
		}
	}
	// 7 clusters refuse each of the two jobs and 1 takes it; the last step is the end.
	if len(all) != 17 {
		t.Errorf("%d steps: %q", len(all), texts(all))
	}
}

// On random problems of every kind, the steps show what the search did.
func TestJobsThatAreTakenBackAreSteps(t *testing.T) {
	backtracked := false
	for i, shape := range slices.Concat(placementtest.Shapes, placementtest.Ruled) {
		for seed := range uint64(4) {
			d, f := shape.Generate(seed)
			p := placement.NewProblem(d, placement.NewCapacity(f, placement.CapacityOptions{ConsumeBandwidth: i%2 == 0}))
			for _, strategy := range []string{"heuristic", "random", "first-fit"} {
				o := placement.Options{Phi: placement.DefaultPhi, Budget: 200, Seed: seed}
				solution := placeBy(t, strategy, p, o)
				backtracked = backtracked || solution.Backtracks > 0
				agrees(t, p, f, solution, played(t, p, strategy, o))
			}
		}
	}
	if !backtracked {
		t.Error("no search took a job back")
	}
}

// agrees compares the steps with the solution: they undo as many jobs, jobs move only as the steps
// say, and the last step has the placement.
func agrees(t *testing.T, p *placement.Problem, f *graph.Federation, s placement.Solution, all []placement.Played) {
	t.Helper()
	stands := map[string]string{}
	var backs int64
	for i, step := range all {
		switch step.Kind {
		case placement.PlayedPlaced:
			stands[step.Job] = step.Cluster
		case placement.PlayedBack:
			backs++
			for job, cluster := range stands {
				if !slices.Contains(standingJobs(step), job) {
					if cluster != step.Cluster {
						t.Errorf("step %d: %s leaves %s, not %s", i, job, cluster, step.Cluster)
					}
					delete(stands, job)
				}
			}
		}
		if len(stands) != len(standingJobs(step)) {
			t.Fatalf("step %d, %q: %v stand, the moves say %v", i, step.Text, standingJobs(step), stands)
		}
		if step.Row != nil && slices.ContainsFunc(step.Row.PA, func(c placement.Candidate) bool { return c.Chosen }) != (step.Kind == placement.PlayedPlaced) {
			t.Errorf("step %d, %q: what is chosen is %+v", i, step.Text, step.Row.PA)
		}
		if step.Kind == placement.PlayedRefused && slices.ContainsFunc(step.Row.PA, func(c placement.Candidate) bool { return c.Cluster == step.Cluster }) {
			t.Errorf("step %d: %s refuses, and is in PA", i, step.Cluster)
		}
	}
	last := all[len(all)-1]
	if last.Kind != placement.PlayedEnd || backs != s.Backtracks {
		t.Errorf("the last step is %d after %d backs, the search had %d", last.Kind, backs, s.Backtracks)
	}
	if s.Status != placement.Placed {
		return
	}
	for job, at := range s.Cluster {
		id := p.Deployment().Jobs().ID(job)
		if want := f.Clusters().ID(int(at)); stands[id] != want {
			t.Errorf("%s ends on %s, want %s", id, stands[id], want)
		}
	}
}

func standingJobs(s placement.Played) (jobs []string) {
	for _, j := range s.Order {
		if j.Cluster != "" {
			jobs = append(jobs, j.Job)
		}
	}
	return jobs
}
