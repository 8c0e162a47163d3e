package gallery

import (
	"fmt"
	"strconv"

	"berth/engine/fragment/fragmentkind"
	"berth/engine/study"
)

const (
	fgdSetup = "Generated nodes and pods in about the proportions of openb, 150 nodes at reduced size and 1,200 at full size. " +
		"The order of nodes, in which the first of equal scores is taken, and that of pods are drawn by the seed, as in the authors' simulator."
	fgdAuthorsSetup = "The authors' 1,213 nodes and lists of pods, with 10 seeds as they have. Our seeds draw other orders of nodes and pods than theirs. " +
		"The typical pods, the scores and the choice among equal scores are those of their public simulator."
)

// fgdPolicies are all policies, in the order of what they allocate in the paper.
var fgdPolicies = []string{"random", "dot-product", "gpu-clustering", "gpu-packing", "best-fit", "fgd"}

// fgdList is a list of pods: what generated pods have instead, and the GPUs allocated when
// 100 % have arrived, in per cent, by policy, as the means of 10 seeds in the repository's
// expected results (analysis_allo_discrete.csv).
type fgdList struct {
	id        string // of the manifest, without "openb-"
	level     int    // per cent of pods that are of the sort that the figure varies
	generated map[string]float64
	allocated [6]float64 // by fgdPolicies
}

var fgdDefault = []fgdList{{"default", 0, nil, [6]float64{86.30, 90.62, 91.65, 91.78, 92.86, 95.23}}}

var fgdShares = []fgdList{
	{"gpushare40", 40, only("shared", 0.35), [6]float64{84.86, 89.30, 89.76, 89.77, 91.44, 93.96}},
	{"gpushare60", 60, only("shared", 0.52), [6]float64{82.81, 86.82, 86.90, 87.15, 89.06, 91.25}},
	{"gpushare80", 80, only("shared", 0.69), [6]float64{80.62, 84.14, 84.50, 84.65, 86.66, 89.08}},
	{"gpushare100", 100, map[string]float64{"shared": 0.87, "many": 0}, [6]float64{78.90, 81.98, 82.22, 82.13, 84.62, 86.64}},
}

var fgdMany = []fgdList{
	{"multigpu20", 20, only("many", 0.03), [6]float64{86.92, 91.85, 93.34, 93.50, 93.73, 95.53}},
	{"multigpu30", 30, only("many", 0.05), [6]float64{86.63, 93.11, 94.55, 94.70, 94.57, 96.36}},
	{"multigpu40", 40, only("many", 0.08), [6]float64{85.37, 94.04, 95.35, 95.59, 95.10, 96.91}},
	{"multigpu50", 50, only("many", 0.11), [6]float64{81.28, 94.73, 95.69, 96.06, 95.62, 97.09}},
}

var fgdModels = []fgdList{
	{"gpuspec10", 10, only("any", 0.90), [6]float64{86.26, 90.17, 91.96, 92.24, 93.10, 94.66}},
	{"gpuspec20", 20, only("any", 0.80), [6]float64{85.90, 88.29, 89.11, 89.28, 88.46, 94.66}},
	{"gpuspec25", 25, only("any", 0.75), [6]float64{85.42, 85.44, 86.41, 86.77, 85.67, 93.91}},
	{"gpuspec33", 33, only("any", 0.67), [6]float64{83.87, 79.82, 81.09, 82.22, 80.40, 87.84}},
}

func only(name string, value float64) map[string]float64 { return map[string]float64{name: value} }

func fgdEntries() []Entry {
	entry := func(id, figure, title, shows, factor string, lists []fgdList) Entry {
		source := "section 6, on figure " + figure
		e := Entry{ID: "fgd-" + id, Paper: "fgd", Figure: figure, Title: title, Shows: shows, Setup: fgdSetup, Generated: true,
			document: func(full bool) study.Document { return fgdGenerated(full, source, factor, lists) },
			authors: &authored{needs: fgdNeeds(lists), setup: fgdAuthorsSetup,
				document: func(f AuthorFiles) study.Document { return fgdAuthors(f, source, factor, lists) }},
		}
		if factor == "" {
			e.Panels = []Panel{{"allocated", "GPUs allocated when pods have asked for so many per cent of them"}}
		} else {
			e.Along = factor
		}
		return e
	}
	return []Entry{
		entry("default", "7 and 9", "Allocated GPUs as a cluster of GPUs fills",
			"Pods of the production trace arrive until they have asked for 130 % of 6,212 GPUs. When 100 % have arrived, fragmentation gradient descent has allocated 95 % of them, best fit 93 % and random fit 86 %.", "", fgdDefault),
		entry("gpushare", "11", "More pods that share a GPU",
			"The more pods ask for a share of a GPU, the less of the GPUs any policy allocates. FGD stays ahead of the others.", "shared", fgdShares),
		entry("multigpu", "12", "More pods with several GPUs",
			"The more GPUs are asked for in pods with several of them, the smaller is the lead of FGD, and the further random fit falls behind.", "several", fgdMany),
		entry("gpuspec", "13", "More pods that want a model of GPU",
			"The more pods accept only some models of GPU, the larger is the lead of FGD over the policies that pack by size.", "constrained", fgdModels),
	}
}

func fgdNeeds(lists []fgdList) []string {
	needs := []string{"openb-nodes"}
	for _, l := range lists {
		needs = append(needs, "openb-"+l.id)
	}
	return needs
}

// fgdOn is an experiment of all policies over lists of pods. FGD is ahead of each other
// policy by less than 5 % in the paper: one per cent is an effect.
func fgdOn(d fragmentkind.Document, source, factor string, lists []fgdList, patch func(fgdList) at) study.Document {
	d.Policies, d.Seed = fgdPolicies, 42
	x := study.Document{Compare: "policy", Metrics: []string{"allocated.100", "fragmented.100", "refused"}, Base: base("Filling a cluster", fragmentkind.Name, &d)}
	if factor == "" {
		x.Metrics = []string{"allocated.50", "allocated.80", "allocated.90", "allocated.100", "allocated.110", "allocated.120", "allocated.130", "fragmented.100", "refused"}
	} else {
		f := study.Factor{Name: factor}
		for _, l := range lists {
			f.Levels = append(f.Levels, study.Level{Label: strconv.Itoa(l.level), Patch: patch(l)})
		}
		x.Factors = []study.Factor{f}
	}
	for _, l := range lists {
		for _, other := range []string{"best-fit", "random"} {
			c := larger(fmt.Sprintf("ahead-of-%s-%s", other, l.id), source, fmt.Sprintf("FGD allocates more than %s (list %s)", other, l.id),
				"allocated.100", fgdCell(factor, l, "fgd"), than("", fgdCell(factor, l, other)))
			c.Test.Least = new(0.01)
			x.Criteria = append(x.Criteria, c)
		}
	}
	return x
}

func fgdCell(factor string, l fgdList, policy string) at {
	if factor == "" {
		return at{"policy": policy}
	}
	return at{factor: strconv.Itoa(l.level), "policy": policy}
}

func fgdGenerated(full bool, source, factor string, lists []fgdList) study.Document {
	pods := generated("pods", fragmentkind.PodsGenerator, fragmentkind.OpenbLike, map[string]float64{"pods": size(full, 1000., 8000)})
	d := fgdOn(fragmentkind.Document{
		Nodes: generated("nodes", fragmentkind.NodesGenerator, fragmentkind.OpenbLike, map[string]float64{"nodes": size(full, 150., 1200)}), Pods: pods,
	}, source, factor, lists, func(l fgdList) at {
		return at{fragmentkind.Name: at{"pods": at{"recipe": at{"parameters": l.generated}}}}
	})
	d.Seeds = size(full, 5, 10)
	return d
}

func fgdAuthors(f AuthorFiles, source, factor string, lists []fgdList) study.Document {
	d := fgdOn(fragmentkind.Document{Nodes: f.find("openb-nodes"), Pods: f.find("openb-" + lists[0].id)}, source, factor, lists, func(l fgdList) at {
		return at{fragmentkind.Name: at{"pods": f.find("openb-" + l.id)}}
	})
	d.Seeds = 10
	for _, l := range lists {
		for i, policy := range fgdPolicies {
			d.Criteria = append(d.Criteria, within(fmt.Sprintf("allocated-%s-%s", policy, l.id), source+", and the expected results of the authors' repository",
				fmt.Sprintf("%s allocates %.2f %% (list %s)", policy, l.allocated[i], l.id), "allocated.100", fgdCell(factor, l, policy), l.allocated[i]/100, 0.01))
		}
	}
	return d
}
