package placementkind

import (
	"encoding/binary"
	"errors"
	"slices"

	"berth/engine/scenario"
)

// The lists of a report, where each job went and in which order, cross beside
// its JSON: to read those of 10,000 jobs as JSON would block the page for a
// tenth of a second.

// Detach returns a copy of the report without its lists, and these packed.
func (r *Report) Detach() (scenario.ReportBody, []byte) {
	slim := *r
	slim.Strategies = slices.Clone(slim.Strategies)
	var lists []byte
	for i := range slim.Strategies {
		s := &slim.Strategies[i]
		s.Deployments = slices.Clone(s.Deployments)
		for k := range s.Deployments {
			d := &s.Deployments[k]
			var placed []string // a job and its cluster, by turns
			if d.Placement != nil {
				placed = make([]string, 0, 2*len(d.Placement))
			}
			for _, a := range d.Placement {
				placed = append(placed, a.Job, a.Cluster)
			}
			lists = pack(pack(lists, placed), d.Order)
			d.Placement, d.Order = nil, nil
		}
	}
	return &slim, lists
}

// Restore puts the lists back into a report.
func (r *Report) Restore(lists []byte) error {
	text, ok := string(lists), true
	for i := range r.Strategies {
		for k := range r.Strategies[i].Deployments {
			d := &r.Strategies[i].Deployments[k]
			var placed []string
			if placed, text, ok = unpack(text); ok {
				d.Order, text, ok = unpack(text)
			}
			if !ok || len(placed)%2 > 0 {
				return errLists
			}
			if placed != nil {
				d.Placement = make(Assignment, len(placed)/2)
			}
			for j := range d.Placement {
				d.Placement[j] = Assigned{Job: placed[2*j], Cluster: placed[2*j+1]}
			}
		}
	}
	if text != "" {
		return errLists
	}
	return nil
}

var errLists = errors.New("the lists of the report are damaged")

// pack appends a list: its length plus one, or zero if it is nil, and then the length and the
// bytes of each string.
func pack(to []byte, list []string) []byte {
	if list == nil {
		return append(to, 0)
	}
	to = binary.AppendUvarint(to, uint64(len(list)+1))
	for _, s := range list {
		to = append(binary.AppendUvarint(to, uint64(len(s))), s...)
	}
	return to
}

// unpack reads a list, whose strings are parts of the text: nothing is copied.
func unpack(text string) (list []string, rest string, ok bool) {
	n, text, ok := number(text)
	if !ok || n == 0 {
		return nil, text, ok
	}
	list = make([]string, n-1)
	for i := range list {
		if n, text, ok = number(text); !ok || n > len(text) {
			return nil, "", false
		}
		list[i], text = text[:n], text[n:]
	}
	return list, text, true
}

// number reads a number of things that take a byte or more each.
func number(text string) (n int, rest string, ok bool) {
	x, size := binary.Uvarint([]byte(text[:min(len(text), binary.MaxVarintLen64)]))
	if size <= 0 || x > uint64(len(text)) {
		return 0, "", false
	}
	return int(x), text[size:], true
}
