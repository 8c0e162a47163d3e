package workload

import (
	"fmt"
	"slices"
	"strings"

	"berth/engine/budget"
	"berth/engine/parameter"
)

// JobsGenerator is the generator of workloads of jobs. Its presets replace the traces of the paper
// on Megha, which are not public, and of Sparrow. They have the numbers of tasks that the papers
// state, and loads at which the papers' findings are visible. The presets for the traces used by
// Hawk and Eagle have the same proportions of short and long jobs, work for about 3,000 workers,
// and smaller largest jobs.
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
	// Slots; the number of jobs and roughly the number of tasks equal those in the sample of
	// Yahoo's trace in Megha's simulator. The load is two thirds on 5,000 workers.
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
	// Slots; the shares and quantiles of jobs are from YH1_sub and GOOG_subtrace, which are part of
	// Megha's simulator. In the Facebook trace, 2 % of the jobs do 99 % of the work. The size of
	// jobs is capped so that a thousand jobs load about 1,000 workers.
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

// JobFigures validates a recipe of jobs and returns its parameters, in display order with the
// values of its preset, and its values by name.
func JobFigures(r Recipe) ([]parameter.Parameter, map[string]float64, error) {
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

func jobDefaults(r Recipe) ([]parameter.Parameter, error) {
	names := JobPresets()
	i := slices.Index(names, r.Preset)
	switch {
	case i < 0:
		return nil, fmt.Errorf("preset: %q is unknown: expected %s", r.Preset, strings.Join(names, " or "))
	case r.Index != 0:
		return nil, fmt.Errorf("index: %d is for the thesis's deployments: jobs have none", r.Index)
	}
	p := jobPresets[i].recipe
	var long []parameter.Parameter
	if p.Long > 0 {
		long = slices.Concat([]parameter.Parameter{{Name: "long", Title: "part of the jobs that are long", Low: 1e-6, High: 1, Default: p.Long}},
			pareto("long_tasks", p.LongTasks, "", "number of tasks of a long job", 1, MaxTasks),
			pareto("long_duration", p.LongDuration, "s", "running time of a task of a long job", 1e-9, MaxSeconds),
			[]parameter.Parameter{{Name: "spread", Title: "spread of the tasks of a job", Hint: "as a part of their mean", High: 0.99, Default: p.Spread}})
	}
	return slices.Concat(
		[]parameter.Parameter{
			{Name: "jobs", Title: "jobs", Low: 1, High: MaxTasks, Whole: true, Default: float64(p.Jobs)},
			{Name: "interarrival", Title: "mean time between two jobs", Unit: "s", Low: 1e-9, High: MaxSeconds, Default: p.Interarrival},
			{Name: "burst", Title: "arrivals in bursts", Hint: "a tenth of the jobs arrive in bursts", Unit: "times as fast", Low: 1, High: 1000, Default: max(p.Burst, 1)},
		},
		pareto("tasks", p.Tasks, "", "number of tasks of a job", 1, MaxTasks),
		pareto("duration", p.Duration, "s", "running time of a task", 1e-9, MaxSeconds), long,
		hinted("0 for all: tasks take slots", Interval("cpu", p.CPU, "", "number of cores of a task", 0)),
		Interval("memory", p.Memory, "GB", "memory of a task", 0),
		[]parameter.Parameter{
			{Name: "constraints", Title: "how often tasks ask for constraints", Unit: "times as usual", High: 10, Default: jobPresets[i].factor},
			{Name: "users", Title: "users", Hint: "0 for none", High: 1000, Whole: true, Default: float64(p.Users)},
		},
	), nil
}

func hinted(hint string, parameters []parameter.Parameter) []parameter.Parameter {
	for i := range parameters {
		parameters[i].Hint = hint
	}
	return parameters
}

// pareto returns the three parameters of a bounded Pareto distribution.
func pareto(name string, p Pareto, unit, title string, least, most float64) []parameter.Parameter {
	return []parameter.Parameter{
		{Name: "min_" + name, Title: "lowest " + title, Unit: unit, Low: least, High: most, Default: p.Least},
		{Name: "max_" + name, Title: "highest " + title, Unit: unit, Low: least, High: most, Default: p.Most},
		{Name: name + "_shape", Title: "Pareto shape of the " + title, Hint: "small is heavy-tailed", Low: 0.01, High: 100, Default: p.Shape},
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
