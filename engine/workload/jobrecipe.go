package workload

import (
	"fmt"
	"slices"
	"strings"

	"berth/engine/budget"
)

// JobsGenerator is the generator of workloads of jobs. Its presets replace the traces
// of the paper on Megha, which are not public, and of Sparrow: they have the numbers
// of tasks that the papers state, and loads at which the papers' findings are
// visible. The presets for the traces used by Hawk and Eagle have the same
// proportions of short and long jobs, work for about 3,000 workers, and smaller
// largest jobs.
const JobsGenerator = "jobs"

// jobPresets has a preset for each trace; the first one is the default.
var jobPresets = []struct {
	name   string
	recipe JobRecipe
	factor float64 // on the probabilities of constraints
}{
	// Slots; the peak demand equals the capacity of 10,000 workers.
	{"cloudera", JobRecipe{
		Jobs: 1000, Interarrival: 0.1, Tasks: Pareto{1, 300, 0.8}, Duration: Pareto{25, 2000, 1.1},
	}, 0},
	// Slots; the number of jobs and roughly the number of tasks equal those in the
	// sample of Yahoo's trace that comes with Megha's simulator. The load is two
	// thirds on 5,000 workers.
	{"yahoo", JobRecipe{
		Jobs: 2910, Interarrival: 8.9, Burst: 5, Tasks: Pareto{1, 3000, 0.55}, Duration: Pareto{60, 18_000, 0.7},
	}, 0},
	{"alibaba", JobRecipe{
		Jobs: 8000, Interarrival: 0.0005, Tasks: Pareto{1, 1, 1}, Duration: Pareto{5, 100, 1},
		CPU: [2]float64{0.5, 4}, Memory: [2]float64{0.05, 0.5},
	}, 1},
	{"google", JobRecipe{
		Jobs: 910, Interarrival: 0.1, Tasks: Pareto{5, 5, 1}, Duration: Pareto{20, 2000, 1},
		CPU: [2]float64{1, 32}, Memory: [2]float64{0.5, 8}, Users: 4,
	}, 1},
	// Slots; the shares and quantiles of jobs are from YH1_sub and GOOG_subtrace,
	// which come with Megha's simulator. In the Facebook trace, 2 % of the jobs do 99
	// % of the work. The size of jobs is capped so that a thousand jobs load about
	// 1,000 workers.
	{"yahoo-mix", JobRecipe{
		Jobs: 3000, Interarrival: 7, Tasks: Pareto{3, 150, 0.5}, Duration: Pareto{2, 90, 0.2},
		Long: 0.095, LongTasks: Pareto{3, 1000, 0.2}, LongDuration: Pareto{95, 6000, 0.4}, Spread: 0.2,
	}, 0},
	{"google-mix", JobRecipe{
		Jobs: 3000, Interarrival: 9.4, Tasks: Pareto{1, 1000, 0.75}, Duration: Pareto{11, 1100, 0.2},
		Long: 0.09, LongTasks: Pareto{1, 1000, 0.5}, LongDuration: Pareto{1200, 20_000, 1.1}, Spread: 0.2,
	}, 0},
	{"facebook-mix", JobRecipe{
		Jobs: 3000, Interarrival: 5, Tasks: Pareto{1, 300, 0.8}, Duration: Pareto{2, 75, 0.4},
		Long: 0.02, LongTasks: Pareto{50, 1500, 0.3}, LongDuration: Pareto{80, 6000, 0.4}, Spread: 0.2,
	}, 0},
}

// JobPresets returns the names of the presets of the jobs generator.
func JobPresets() []string {
	var names []string
	for _, p := range jobPresets {
		names = append(names, p.name)
	}
	return names
}

// JobDefaults returns the parameters of the jobs generator with the values of a
// preset, in display order.
func JobDefaults(preset string) ([]Parameter, error) {
	return jobDefaults(Recipe{Generator: JobsGenerator, Preset: preset})
}

// JobFigures validates a recipe of jobs and returns its parameters and its values by
// name.
func JobFigures(r Recipe) ([]Parameter, map[string]float64, error) {
	if r.Generator != JobsGenerator {
		return nil, nil, r.Unwanted(JobsGenerator)
	}
	parameters, err := jobDefaults(r)
	if err != nil {
		return nil, nil, err
	}
	values, err := r.Fill(parameters)
	return parameters, values, err
}

func jobDefaults(r Recipe) ([]Parameter, error) {
	names := JobPresets()
	i := slices.Index(names, r.Preset)
	switch {
	case i < 0:
		return nil, fmt.Errorf("preset: %q is unknown: expected %s", r.Preset, strings.Join(names, " or "))
	case r.Index != 0:
		return nil, fmt.Errorf("index: %d is for the thesis's deployments: jobs have none", r.Index)
	}
	p := jobPresets[i].recipe
	var long []Parameter
	if p.Long > 0 {
		long = slices.Concat([]Parameter{{"long", p.Long, "", "part of the jobs that are long", "", 1e-6, 1, false}},
			pareto("long_tasks", p.LongTasks, "", "number of tasks of a long job", 1, MaxTasks),
			pareto("long_duration", p.LongDuration, "s", "running time of a task of a long job", 1e-9, MaxSeconds),
			[]Parameter{{"spread", p.Spread, "", "spread of the tasks of a job", "as a part of their mean", 0, 0.99, false}})
	}
	return slices.Concat(
		[]Parameter{
			{"jobs", float64(p.Jobs), "", "jobs", "", 1, MaxTasks, true},
			{"interarrival", p.Interarrival, "s", "mean time between two jobs", "", 1e-9, MaxSeconds, false},
			{"burst", max(p.Burst, 1), "times as fast", "arrivals in bursts", "a tenth of the jobs arrive in bursts", 1, 1000, false},
		},
		pareto("tasks", p.Tasks, "", "number of tasks of a job", 1, MaxTasks),
		pareto("duration", p.Duration, "s", "running time of a task", 1e-9, MaxSeconds), long,
		hinted("0 for all: tasks take slots", Interval("cpu", p.CPU, "", "number of cores of a task", 0)),
		Interval("memory", p.Memory, "GB", "memory of a task", 0),
		[]Parameter{
			{"constraints", jobPresets[i].factor, "times as usual", "how often tasks ask for constraints", "", 0, 10, false},
			{"users", float64(p.Users), "", "users", "0 for none", 0, 1000, true},
		},
	), nil
}

func hinted(hint string, parameters []Parameter) []Parameter {
	for i := range parameters {
		parameters[i].Hint = hint
	}
	return parameters
}

// pareto returns the three parameters of a bounded Pareto distribution.
func pareto(name string, p Pareto, unit, title string, least, most float64) []Parameter {
	return []Parameter{
		{"min_" + name, p.Least, unit, "lowest " + title, "", least, most, false},
		{"max_" + name, p.Most, unit, "highest " + title, "", least, most, false},
		{name + "_shape", p.Shape, "", "Pareto shape of the " + title, "small is heavy-tailed", 0.01, 100, false},
	}
}

// Jobs generates the workload of a recipe. Errors name the parameter and its valid
// values.
func Jobs(r Recipe, b *budget.Budget) (*Tasks, error) {
	_, v, err := JobFigures(r)
	if err != nil {
		return nil, err
	}
	bounds := func(name string) [2]float64 { return [2]float64{v["min_"+name], v["max_"+name]} }
	distribution := func(name string) Pareto {
		return Pareto{v["min_"+name], v["max_"+name], v[name+"_shape"]}
	}
	constraints := TaskConstraints()
	for c := range constraints {
		constraints[c] *= v["constraints"]
	}
	return generateJobs(JobRecipe{
		Seed: r.Seed, Jobs: int(v["jobs"]), Interarrival: v["interarrival"], Burst: v["burst"],
		Tasks: distribution("tasks"), Duration: distribution("duration"),
		Long: v["long"], LongTasks: distribution("long_tasks"), LongDuration: distribution("long_duration"), Spread: v["spread"],
		CPU: bounds("cpu"), Memory: bounds("memory"), Constraints: constraints, Users: int(v["users"]),
	}, b)
}
