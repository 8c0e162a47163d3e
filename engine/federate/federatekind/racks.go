package federatekind

import (
	"fmt"
	"slices"
	"strings"

	"berth/engine/diag"
	"berth/engine/federate"
	"berth/engine/input/workload"
	"berth/engine/scenario"
	"berth/engine/show"
)

// RackSubject is the subject of an outage of all machines of a rack. Schedulers do not know racks,
// so failRacks replaces it by outages of single machines.
const RackSubject = "rack"

// validate checks the subject of an outage.
func (o *Outage) validate(at string, p *scenario.Problems) {
	all := OutageFields[0].Names()
	switch {
	case !slices.Contains(all, o.Subject):
		p.Add(at+".subject", diag.UnexpectedText, scenario.Shorten(o.Subject), strings.Join(all, ", "))
	case o.Subject != RackSubject && o.Rack != "":
		p.Add(at+".rack", noRackOf, o.Subject)
	case o.Subject == RackSubject && o.Rack == "":
		p.Add(at+".rack", missingRack)
	}
}

// subject returns the kind of component that fails. A rack counts as a worker until failRacks fills
// in its machines.
func (o *Outage) subject() federate.OutageSubject {
	return federate.OutageSubject(max(0, min(OutageFields[0].Value(o), float64(federate.WorkerOutage))))
}

// failRacks replaces the outage of a rack by outages of its machines. The first machine takes the
// position of the rack; the others follow at the end of the list.
func (d *Document) failRacks(c *federate.Config, m *machines) error {
	for i := range d.Outages {
		o := &d.Outages[i]
		if o.Subject != RackSubject {
			continue
		}
		first := slices.IndexFunc(m.list, func(m workload.Machine) bool { return m.Rack() == o.Rack })
		if first < 0 {
			return diag.At(fmt.Sprintf("outages[%d].rack", i), unknownRack, show.Quote(o.Rack))
		}
		c.Outages[i].Index = first
		for w := first + 1; w < len(m.list); w++ {
			if one := c.Outages[i]; m.list[w].Rack() == o.Rack {
				one.Index = w
				c.Outages = append(c.Outages, one)
			}
		}
	}
	return nil
}
