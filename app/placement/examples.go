package placement

import "berth/engine/workload"

// firstExample is what the first visit opens with.
func firstExample() inputs {
	in := emptyInputs()
	in.name = "Thesis, 20 jobs on 50 clusters"
	in.federation = recipeGraph("federation of 50", workload.Recipe{Generator: "federation", Preset: "thesis", Seed: 1})
	in.deployments = []*graph{recipeGraph("deployment of 20", workload.Recipe{Generator: "deployment", Preset: "thesis", Seed: 1, Index: 2})}
	return in
}
