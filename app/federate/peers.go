package federate

import (
	"strconv"

	"berth/app/lab"
	"berth/engine/federate"
	"berth/engine/federate/federatekind"
)

// peerFields steer the schedulers that Megha is compared with.
func peerFields() []field {
	usual := federate.Default(1, 1, 1)
	sparrow := func(d *federatekind.Document) federatekind.Sparrow {
		if d.Sparrow != nil {
			return *d.Sparrow
		}
		return federatekind.Sparrow{Probes: usual.Sparrow.Probes}
	}
	pigeon := func(d *federatekind.Document) federatekind.Pigeon {
		if d.Pigeon != nil {
			return *d.Pigeon
		}
		p := usual.Pigeon
		return federatekind.Pigeon{
			GroupSize: p.GroupSize, Reserved: p.Reserved, Weight: p.Weight, Cutoff: float64(p.Cutoff) / float64(federate.Second),
		}
	}
	count := func(id, label, path string, least int, at func(p *federatekind.Pigeon) *int) field {
		return field{
			id: id, label: label, path: path,
			text: func(in inputs) string {
				p := pigeon(&in.options)
				return strconv.Itoa(*at(&p))
			},
			set: whole(least, func(in *inputs, n int) {
				p := pigeon(&in.options)
				*at(&p) = n
				in.options.Pigeon = &p
			}),
		}
	}
	return []field{
		{
			id: "fed-probes", label: "Sparrow: probes of a task", path: "sparrow.probes",
			text: func(in inputs) string { return strconv.Itoa(sparrow(&in.options).Probes) },
			set:  whole(1, func(in *inputs, n int) { in.options.Sparrow = &federatekind.Sparrow{Probes: n} }),
		},
		count("fed-group-size", "Pigeon: workers of a group", "pigeon.groupSize", 1, func(p *federatekind.Pigeon) *int { return &p.GroupSize }),
		count("fed-reserved", "Pigeon: of these for short tasks", "pigeon.reserved", 0, func(p *federatekind.Pigeon) *int { return &p.Reserved }),
		{
			id: "fed-cutoff", label: "Pigeon: longest short job, s", path: "pigeon.cutoff",
			text: func(in inputs) string { return lab.Figure(pigeon(&in.options).Cutoff) },
			set: func(in *inputs, text string) (err error) {
				p := pigeon(&in.options)
				p.Cutoff, err = amount(text)
				in.options.Pigeon = &p
				return err
			},
		},
		count("fed-weight", "Pigeon: short tasks to a long one", "pigeon.weight", 1, func(p *federatekind.Pigeon) *int { return &p.Weight }),
	}
}
