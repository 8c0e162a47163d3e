package workload_test

import (
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"berth/engine/cluster"
	"berth/engine/diag"
	"berth/engine/diag/diagtest"
	"berth/engine/input/trace"
	"berth/engine/input/workload"
	"berth/engine/must"
	"berth/engine/sim"
)

const second sim.Nanoseconds = 1e9

func TestReadTrace(t *testing.T) {
	got := must.Get(readTasks("t", strings.NewReader("\ufeff2.5 2 1.5  1.000000001 2\t\n\n1 1 7 0\r\n")))(t)
	want := &workload.Tasks{
		Resources: []string{workload.SlotResource},
		Jobs: []workload.TaskJob{
			{Arrival: second, Mean: 7 * second, First: 2, Count: 1, User: -1},
			{Arrival: 5 * second / 2, Mean: 3 * second / 2, First: 0, Count: 2, User: -1},
		},
		Durations: []sim.Nanoseconds{second + 1, 2 * second, 0},
		KindOf:    []int32{0, 0, 0},
		Kinds:     []workload.TaskKind{{Request: []cluster.Amount{cluster.Unit}}},
		Unordered: true,
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// endless is an infinite trace.
type endless struct{ line string }

func (e endless) Read(p []byte) (int, error) {
	n := 0
	for len(p)-n >= len(e.line) {
		n += copy(p[n:], e.line)
	}
	if n == 0 {
		return 0, io.ErrShortBuffer
	}
	return n, nil
}

// All tasks of a job are on one line.
func TestReadTraceOfALargeJob(t *testing.T) {
	const n = 200_000
	got, err := readTasks("t", strings.NewReader("0 200000 12.5"+strings.Repeat(" 12.500000001", n)))
	if err != nil || len(got.Jobs) != 1 || got.Jobs[0].Count != n || got.Durations[n-1] != 25*second/2+1 {
		t.Errorf("got %v", err)
	}
	_, err = readTasks("t", endless{"1 "})
	if err == nil || !strings.HasPrefix(err.Error(), "t:1:1: the line has more than 67108864 bytes") {
		t.Errorf("of a line without end: %v", err)
	}
}

func TestReadTaskTable(t *testing.T) {
	const table = `job,arrival,memory,user,constraints,duration,cpu,priority
b,4,0.5,bob,,2,1,9
a,1,1,ann,0;63,3,2,-3
b,4,0.5,bob, 5 ; 5,4,1,9
,2,0,ann,,1,0.25,
`
	got := must.Get(readTasks("t", strings.NewReader(table)))(t)
	var all []string
	for _, j := range got.Jobs {
		line := fmt.Sprint(j.Arrival/second, " ", got.Users[j.User], " ", j.Priority, " ", j.Mean/second)
		for i := j.First; i < j.First+j.Count; i++ {
			line += fmt.Sprint("; ", got.Durations[i]/second, " ", got.KindString(got.KindOf[i]))
		}
		all = append(all, line)
	}
	want := []string{
		"1 ann -3 3; 3 cpu 2, memory 1, constraints 0;63",
		"2 ann 0 1; 1 cpu 0.25, memory 0",
		"4 bob 9 3; 2 cpu 1, memory 0.5; 4 cpu 1, memory 0.5, constraints 5",
	}
	if !slices.Equal(all, want) || !slices.Equal(got.Resources, []string{"cpu", "memory"}) {
		t.Errorf("got %q, want %q", all, want)
	}
}

// The jobs of requests have the priority from the Google trace or, if there is none, the priority
// of their class.
func TestJobsOfRequestsHavePriorities(t *testing.T) {
	for _, test := range []struct {
		request workload.Request
		want    int16
	}{
		{workload.Request{Priority: 9}, 9}, {workload.Request{Class: "gold", Priority: workload.NoPriority}, 2}, {workload.Request{Class: "silver", Priority: workload.NoPriority}, 1},
		{workload.Request{Class: "mine", Priority: workload.NoPriority}, 0}, {workload.Request{Priority: 1 << 20}, math.MaxInt16},
	} {
		got, err := workload.TasksOf("t", &workload.Slice{Requests: []workload.Request{test.request}})
		if err != nil || got.Jobs[0].Priority != test.want {
			t.Errorf("%+v: got %+v, %v, want %d", test.request, got, err, test.want)
		}
	}
}

func TestReadTasksSaysWhatIsWrongWhere(t *testing.T) {
	for text, want := range map[string]string{
		"1 1 1 1\n1 3 1 1 1\n":                   "t:2:3: number_of_tasks is 3, but the line has 2 durations",
		"1 1 1 1 1\n":                            "t:1:3: number_of_tasks is 1, but the line has 2 durations",
		"-1 1 1 1\n":                             "t:1:1: arrival_s: -1 is not a time",
		"1 1 -1 1\n":                             "t:1:5: mean_duration_s: -1 is not a time",
		"1 1 1 NaN\n":                            "t:1:7: duration 1: NaN is not a time",
		"1 1 1 1e300\n":                          "t:1:7: duration 1: 1e+300 is not a time",
		"1\n":                                    `t:1:2: number_of_tasks: "" is not`,
		"1 2.5 1 1\n":                            `t:1:3: number_of_tasks: "2.5" is not`,
		"1 1\n":                                  "t:1:4: mean_duration_s is missing",
		"":                                       "t:1:1: the file is empty",
		"arrival,job\n":                          "t:1:12: the column duration is missing",
		"arrival,duration,priority\n1,1,40000\n": `t:2:5: priority: "40000" is not a whole number from -32768 to 32767`,
		"arrival,job,duration,priority\n1,a,1,1\n1,a,1,2\n": "t:3:7: priority: job a has priority 1 already: expected one priority for all tasks of a job",
		"arrival,duration,arrival\n":                        "t:1:18: the column arrival is given twice",
		"arrival,duration\n1\n":                             "t:2:2: the line has 1 field, the header 2",
		"arrival,duration\n-1,1\n":                          "t:2:1: arrival: -1 is not a time",
		"arrival,duration\n1,\n":                            `t:2:3: duration: "" is not a number`,
		"arrival,duration,cpu\n1,1,-2\n":                    "t:2:5: cpu: -2 is not a quantity",
		"arrival,duration\n1,1_0\n":                         `t:2:3: duration: "1_0" is not a number of seconds`,
		"arrival,duration,constraints\n1,1,3;x\n":           `t:2:5: constraints: "x" is not a whole number from 0 to 63`,
		"arrival,duration,job,user\n1,1,a,x\n1,1,a,y\n":     "t:3:7: user: job a belongs to user x",
		"arrival,duration,job\n1,1,a\n1.5,1,a\n":            "t:3:1: arrival: job a arrived at 1 s already",
		"arrival,duration,job\n1,1,\"a\n":                   "t:2:5: field 3: the closing quote is missing",
	} {
		_, err := readTasks("t", strings.NewReader(text))
		var syntax *diag.Diagnostic
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", text, err, want)
		} else if text != "" && !errors.As(err, &syntax) {
			t.Errorf("%q: the error is a %T", text, err)
		}
	}
}

func FuzzReadTasks(f *testing.F) {
	f.Add("1 2 1.5 1 2\n")
	f.Add("arrival,job,user,duration,cpu,memory,constraints\n1,a,u,1,1,1,1;2\n")
	f.Add("; an SWF log\n")
	f.Add("1 2 1.5 1 2\n0.5 1 1 1e8\n")
	f.Add("1 3 1 1 1\n")
	f.Add("arrival,job,user,duration,cpu,memory,constraints\n1,a,u,1,1,1,1;2\n1,a,u,2,64,16,\n")
	f.Add("duration,arrival\n1e8,\"1\"\n")
	f.Fuzz(func(t *testing.T, text string) {
		tasks, err := readTasks("t", strings.NewReader(text))
		checkTasks(t, text, tasks, err)
	})
}

// checkTasks checks the result of a reader against the invariants of [workload.Tasks]; an error
// must have a position.
func checkTasks(t *testing.T, text string, tasks *workload.Tasks, err error) {
	t.Helper()
	if err != nil {
		diagtest.InText(t, text, err)
		return
	}
	var n int32
	for i, j := range tasks.Jobs {
		n += j.Count
		if j.Count < 1 || j.Arrival < 0 || j.Mean < 0 || i > 0 && j.Arrival < tasks.Jobs[i-1].Arrival {
			t.Errorf("job %d is %+v", i, j)
		}
		if j.First < 0 || int(j.First+j.Count) > len(tasks.Durations) || int(j.User) >= len(tasks.Users) {
			t.Errorf("job %d is %+v, of %d tasks and %d users", i, j, len(tasks.Durations), len(tasks.Users))
		}
	}
	if int(n) != len(tasks.Durations) || len(tasks.KindOf) != len(tasks.Durations) {
		t.Errorf("%d tasks in jobs, %d durations, %d kinds", n, len(tasks.Durations), len(tasks.KindOf))
	}
	var all sim.Nanoseconds
	for i, d := range tasks.Durations {
		all += d
		if d < 0 || all < 0 || int(tasks.KindOf[i]) >= len(tasks.Kinds) {
			t.Errorf("task %d runs for %d ns, all up to it for %d ns; it is of kind %d of %d", i, d, all, tasks.KindOf[i], len(tasks.Kinds))
		}
	}
	for _, k := range tasks.Kinds {
		if len(k.Request) != len(tasks.Resources) || slices.ContainsFunc(k.Request, func(a cluster.Amount) bool { return a < 0 }) {
			t.Errorf("a kind asks for %v of %v", k.Request, tasks.Resources)
		}
	}
}

func jobRecipe() workload.JobRecipe {
	return workload.JobRecipe{
		Seed: 7, Jobs: 20_000, Interarrival: 2, Users: 3,
		Tasks: workload.Pareto{Least: 1, Most: 100, Shape: 1.5}, Duration: workload.Pareto{Least: 1, Most: 1000, Shape: 2},
		CPU: [2]float64{1, 4}, Memory: [2]float64{0, 2}, Constraints: workload.TaskConstraints(),
	}
}

func TestGeneratedJobsFollowTheirDistributions(t *testing.T) {
	r := jobRecipe()
	r.Burst = 20
	for _, burst := range []float64{0, 20} {
		r.Burst = burst
		jobs := must.Get(workload.GenerateJobs(r))(t)
		last := float64(jobs.Jobs[r.Jobs-1].Arrival) / float64(second) / float64(r.Jobs)
		if math.Abs(last-r.Interarrival) > 0.2 {
			t.Errorf("burst %v: %v s between two jobs, want about %v", burst, last, r.Interarrival)
		}
		var sum float64
		without := 0
		for i, d := range jobs.Durations {
			sum += float64(d) / float64(second)
			if jobs.Kinds[jobs.KindOf[i]].Constraints == 0 {
				without++
			}
		}
		n := float64(len(jobs.Durations))
		// The mean of the Pareto distribution is 2·(1 − 1/1000)/(1 − 1/1000²).
		if mean := sum / n; math.Abs(mean-1.998) > 0.15 {
			t.Errorf("tasks take %v s on average, want about 2", mean)
		}
		if part := float64(without) / n; math.Abs(part-0.5) > 0.05 {
			t.Errorf("%v of the tasks have no constraint, want about a half", part)
		}
	}
}

func TestBurstsMakeArrivalsUneven(t *testing.T) {
	squares := func(burst float64) (sum float64) {
		r := jobRecipe()
		r.Burst = burst
		jobs := must.Get(workload.GenerateJobs(r))(t)
		var per [400]float64
		for _, j := range jobs.Jobs {
			per[min(int(j.Arrival/(100*second)), len(per)-1)]++
		}
		for _, n := range per {
			sum += (n - 50) * (n - 50)
		}
		return sum
	}
	if even, uneven := squares(0), squares(20); uneven < 2*even {
		t.Errorf("squares of the jobs per 100 s around their mean: %v, with bursts %v", even, uneven)
	}
}

func TestRecipesOutOfBoundsAreRefused(t *testing.T) {
	for name, values := range map[string][]float64{
		"jobs": {0, 1.5, workload.MaxTasks + 1}, "interarrival": {0, math.NaN(), workload.MaxSeconds}, "burst": {0.5, 1001}, "users": {-1}, "min_tasks": {0, 1e9},
		"duration_shape": {0, 101}, "min_cpu": {-1, 5}, "max_memory": {math.Inf(1)}, "constraints": {-1, 11},
	} {
		for _, value := range values {
			r := workload.Recipe{Generator: workload.JobsGenerator, Preset: "alibaba", Parameters: map[string]float64{name: value}}
			if _, err := workload.Jobs(r, nil); err == nil || !strings.HasPrefix(err.Error(), name+": ") {
				t.Errorf("%s %v: got %v", name, value, err)
			}
		}
	}
}

func TestMachinesFollowTheirTables(t *testing.T) {
	tables := workload.ConstraintTables()
	for _, table := range tables {
		if len(table.Machine) != workload.Constraints {
			t.Errorf("table %s has %d constraints", table.Name, len(table.Machine))
		}
	}
	machines, err := workload.Machines(3, []int{5000, 5000}, tables[1:2])
	if err != nil || len(machines) != 10_000 {
		t.Fatalf("%d machines, %v", len(machines), err)
	}
	for c, p := range tables[1].Machine {
		n := 0
		for _, m := range machines {
			n += int(m >> c & 1)
		}
		if got := float64(n) / 10_000; math.Abs(got-p) > 0.025 {
			t.Errorf("constraint %d: %v of the machines, want %v", c, got, p)
		}
	}
	if _, err := workload.Machines(1, []int{1}, nil); err == nil {
		t.Error("no table is enough")
	}
}

func TestJobsOfEachPreset(t *testing.T) {
	for _, preset := range workload.JobPresets() {
		recipe := workload.Recipe{Generator: workload.JobsGenerator, Preset: preset, Seed: 3}
		parameters, _, err := workload.JobFigures(recipe)
		if err != nil {
			t.Fatal(err)
		}
		given := map[string]float64{}
		for _, p := range parameters {
			given[p.Name] = p.Default
		}
		got, err := workload.Jobs(recipe, nil)
		if err != nil {
			t.Fatalf("%s: %v", preset, err)
		}
		recipe.Parameters = given
		if again, err := workload.Jobs(recipe, nil); err != nil || !reflect.DeepEqual(got, again) {
			t.Errorf("%s: the defaults are not what is generated (%v)", preset, err)
		}
		recipe.Seed++
		if other, err := workload.Jobs(recipe, nil); err != nil || reflect.DeepEqual(got, other) {
			t.Errorf("%s: another seed gives the same (%v)", preset, err)
		}
		if len(got.Jobs) != int(given["jobs"]) || len(got.Users) != int(given["users"]) {
			t.Errorf("%s: %d jobs of %d users", preset, len(got.Jobs), len(got.Users))
		}
		recipe.Parameters = map[string]float64{"min_duration": 1e7}
		if _, err := workload.Jobs(recipe, nil); err == nil || !strings.Contains(err.Error(), "min_duration") {
			t.Errorf("%s: an interval upside down: %v", preset, err)
		}
	}
	if _, err := workload.Jobs(workload.Recipe{Generator: workload.JobsGenerator, Preset: "thesis"}, nil); err == nil || !strings.Contains(err.Error(), "cloudera or yahoo or alibaba or google") {
		t.Errorf("an unknown preset: %v", err)
	}
}

// readTasks reads jobs from input that can be read only once.
func readTasks(name string, r io.Reader) (*workload.Tasks, error) {
	return trace.OpenTasks(name, workload.Window{}, func() (io.Reader, error) { return r, nil })
}
