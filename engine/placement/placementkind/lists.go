package placementkind

import (
	"encoding/binary"
	"errors"
	"slices"

	"berth/engine/scenario"
)

// The lists of a report (cluster of each job, order of jobs) are transferred separately from its
// JSON: parsing the lists of 10,000 jobs as JSON would block the page for a tenth of a second.

// Detach returns a copy of the report without its lists, and the packed lists.
func (r *Report) Detach() (scenario.ReportBody, []byte) {
	slim := *r
	slim.Strategies = slices.Clone(slim.Strategies)
	var lists []byte
	for i := range slim.Strategies {
		s := &slim.Strategies[i]
		s.Deployments = slices.Clone(s.Deployments)
		for k := range s.Deployments {
			d := &s.Deployments[k]
			var placed []string // alternating job and cluster
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

// Restore puts the lists of [Report.Detach] back into a report.
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

// pack appends a list: 0 if it is nil, otherwise its length plus one, and then each string with its
// length.
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

// unpack reads a list. Its strings share the memory of the text.
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

// number reads a count of elements that take at least one byte each; ok is false if the rest of the
// text is too short for them.
func number(text string) (n int, rest string, ok bool) {
	x, size := binary.Uvarint([]byte(text[:min(len(text), binary.MaxVarintLen64)]))
	if size <= 0 || x > uint64(len(text)) {
		return 0, "", false
	}
	return int(x), text[size:], true
}
