package placementkind

import (
	"encoding/binary"
	"errors"
	"slices"

	"berth/engine/scenario"
)

// The lists of a report, where each job went and in which order, cross beside
// its JSON: to read those of 10,000 jobs as JSON would block the page for a
// tenth of a second. Each string is its length and its bytes; each list is led
// by its length plus one, or zero if it is nil.

// Detach returns a copy of the report without its lists, and these packed.
func (r *Report) Detach() (scenario.ReportBody, []byte) {
	slim := *r
	slim.Strategies = slices.Clone(slim.Strategies)
	var p packer
	for i := range slim.Strategies {
		s := &slim.Strategies[i]
		s.Deployments = slices.Clone(s.Deployments)
		for k := range s.Deployments {
			d := &s.Deployments[k]
			p.length(len(d.Placement), d.Placement == nil)
			for _, a := range d.Placement {
				p.text(a.Job)
				p.text(a.Cluster)
			}
			p.length(len(d.Order), d.Order == nil)
			for _, job := range d.Order {
				p.text(job)
			}
			d.Placement, d.Order = nil, nil
		}
	}
	return &slim, p.data
}

// Restore puts the lists back into a report.
func (r *Report) Restore(lists []byte) error {
	u := unpacker{text: string(lists)}
	for i := range r.Strategies {
		for k := range r.Strategies[i].Deployments {
			d := &r.Strategies[i].Deployments[k]
			if n, ok := u.length(); ok {
				d.Placement = make(Assignment, n)
				for j := range d.Placement {
					d.Placement[j] = Assigned{Job: u.string(), Cluster: u.string()}
				}
			}
			if n, ok := u.length(); ok {
				d.Order = make([]string, n)
				for j := range d.Order {
					d.Order[j] = u.string()
				}
			}
		}
	}
	if u.damaged || u.text != "" {
		return errors.New("the lists of the report are damaged")
	}
	return nil
}

type packer struct{ data []byte }

func (p *packer) length(n int, isNil bool) {
	if isNil {
		n = -1
	}
	p.data = binary.AppendUvarint(p.data, uint64(n+1))
}

func (p *packer) text(s string) {
	p.data = append(binary.AppendUvarint(p.data, uint64(len(s))), s...)
}

// unpacker hands out parts of one string, so that nothing is copied again.
type unpacker struct {
	text    string
	damaged bool
}

// number reads a number of things that take a byte or more each.
func (u *unpacker) number() int {
	n, size := binary.Uvarint([]byte(u.text[:min(len(u.text), binary.MaxVarintLen64)]))
	if size <= 0 || n > uint64(len(u.text)) {
		u.damaged, u.text = true, ""
		return 0
	}
	u.text = u.text[size:]
	return int(n)
}

// length reads the length of a list and whether there is one.
func (u *unpacker) length() (int, bool) {
	n := u.number()
	return max(0, n-1), n > 0
}

func (u *unpacker) string() string {
	n := u.number()
	if n > len(u.text) {
		u.damaged = true
		return ""
	}
	s := u.text[:n]
	u.text = u.text[n:]
	return s
}
