package gallery

import (
	"fmt"

	"berth/engine/qos"
	"berth/engine/qos/qoskind"
	"berth/engine/study"
)

// ownEntries are experiments of our own, which no paper has.
func ownEntries() []Entry {
	return []Entry{
		{ID: "berth-1", Paper: "berth", Figure: "1", Title: "When fairness costs money", Generated: true,
			Shows: "On the authors' hour QoS-driven scheduling is dearer than priority with some numbers of hosts and cheaper with others. " +
				"We expect that the length of the bursts decides: priority is dearer with short bursts of silver requests and cheaper with long ones.",
			Setup: "Requests like the authors' hour, a tenth of them at full size, with bursts of three lengths, 0.9 and 0.8 of the hosts for the peak, and two tables of credits: those of table 2, and one that gives everything back below the SLO.",
			Along: "burst", document: phases},
		mapEntry(),
	}
}

// phases are the penalties of both policies by length of bursts, contention and steepness
// of the credits.
func phases(full bool) study.Document {
	const source = "a hypothesis of our own, on section 5.2 of the QoS paper"
	burst := study.Factor{Name: "burst", Path: "/qos/workload/recipe/parameters/burst", Levels: study.Values(60, 300, 1800)}
	hosts := study.Factor{Name: "part", Path: "/qos/hosts/recipe/parameters/part", Levels: study.Values(0.9, 0.8)}
	d := study.Document{
		Seeds: size(full, 30, 100), Compare: "policy", Factors: []study.Factor{burst, hosts, credits()}, Metrics: []string{"penalty", "penalty.silver", "penalty.bronze", "shortfall"},
		Base: base("Bursts", qoskind.Name, &qoskind.Document{
			Workload: generated("bursts", qoskind.RequestsGenerator, qoskind.FirstHour, map[string]float64{"requests": size(full, 1000., 2290)}),
			Hosts:    generated("hosts", qoskind.HostsGenerator, qoskind.FirstHour, map[string]float64{"part": 0.9}), Overheads: overheads(), Policies: bothPolicies(), Horizon: 3600, Seed: 1,
		}),
	}
	for _, c := range d.Factors[2].Levels {
		at := func(burst int, policy string) at {
			return at{"burst": burst, "part": 0.8, "credits": c.Label, "policy": policy}
		}
		d.Criteria = append(d.Criteria,
			larger("short-"+c.Label, source, fmt.Sprintf("with bursts of 60 s priority is dearer (%s)", c.Label), "penalty", at(60, "priority"), than("", at(60, "qos"))),
			larger("long-"+c.Label, source, fmt.Sprintf("with bursts of 1,800 s QoS-driven is dearer (%s)", c.Label), "penalty", at(1800, "qos"), than("", at(1800, "priority"))))
	}
	return d
}

// credits are two tables of what a violated SLO gives back.
func credits() study.Factor {
	var steep []any
	for i, slo := range []float64{1, 0.9, 0.5} {
		steep = append(steep, qoskind.Class{
			Name: []string{"gold", "silver", "bronze"}[i], SLO: slo, Importance: i + 1, Priorities: [][]int{{9, 11}, {2, 8}, {0, 1}}[i], Bonus: []qos.Bonus{{Below: slo, Credit: 1}},
		})
	}
	return study.Factor{Name: "credits", Levels: []study.Level{
		{Label: "table 2", Patch: at{}}, {Label: "all or nothing", Patch: at{"qos": at{"classes": steep}}},
	}}
}
