package sniff

import (
	"cmp"
	"slices"
	"strings"
)

// Most is the number of bytes at the beginning of a text that are examined.
const Most = 64 << 10

// Role is a set of purposes of a text.
type Role uint16

// The roles, in the order in which messages name them.
const (
	Deployments Role = 1 << iota
	Federations
	Requests
	Hosts
	Overheads
	HostEvents
	Manifests // nodes and workloads as manifests, for QoS
	Controllers
	Classes
	Tasks
	Assignments
	Documents
	Failures // failures of nodes without capacities, for the workers of Federate
)

// The roles of the files that each lab reads.
const (
	Placement = Deployments | Federations
	QoS       = Requests | Hosts | Overheads | HostEvents
	Federate  = Tasks
)

// uses has, for each role, the advice on how to use a text.
var uses = [...]string{
	"choose it as a deployment in Placement", "choose it as the federation in Placement", "choose it as the workload in QoS", "choose it as the hosts in QoS, or as the machines in Federate",
	"choose it as the overheads in QoS", "choose it as the host events in QoS", "choose it as hosts or controllers in QoS", "choose it as the controllers in QoS",
	"choose it as the classes in QoS", "choose it as the trace in Federate", "give it to berth place --gap", "open it on the page, or with berth run",
}

// Format is a file format that Berth recognises.
type Format struct {
	Name   string
	What   string // description of such a text: "a list of hosts"
	For    Role   // roles; 0 for a format that is only recognised
	Too    Role   // roles that also apply if the user chooses the file for them
	Accept string // name in lists of accepted formats; "": What
	Brief  string // name in hints
	Of     string // system of a foreign format
	Do     string // advice, if the advice for the first role does not apply
	// Part is the name of the set of tables that the format belongs to; "" for none. Whole marks
	// the main table of the set.
	Part  string
	Whole bool

	List   Role // roles whose lists of accepted formats include this one; 0: all of For
	Syntax Syntax
	Mark   byte // column separator of a table; 0 means comma
	// Must and Fields are columns of a table or keys of an object. The Must fields suffice to
	// recognise the format. If Must is empty, more than half of the fields of a text must be in
	// Fields.
	Must, Fields string
	// Fit, if not nil, scores how well a text fits, from 0 to 100.
	Fit func(h *Head) int
}

// Found is the result of recognition: the best format, and in Also another format with the same
// score. Either may be nil.
type Found struct {
	*Format
	Also *Format
	// Doubtful says that the match is weak: the text may have mistakes.
	Doubtful bool
	head     *Head
}

// Syntax returns the syntax of the text.
func (f Found) Syntax() Syntax { return f.head.Syntax }

// Is reports whether the text has any of these roles.
func (f Found) Is(role Role) bool { return f.Format != nil && f.Format.Only(role) != 0 }

// Only returns the roles of the format among the given ones, including further roles.
func (f *Format) Only(role Role) Role { return (f.For | f.Too) & role }

// Look recognises a text. If two formats fit equally well, it prefers one for the
// given roles. A weak match, which may be a text with mistakes, counts only for the
// given roles.
func Look(text string, roles Role) Found {
	h := headOf(text)
	found := Found{head: h}
	best := 0
	for _, f := range formats {
		score := f.score(h)
		switch {
		case score == 0, score < best, score <= Mistaken && f.For&roles == 0:
		case score > best:
			best, found.Format, found.Also, found.Doubtful = score, f, nil, score <= Mistaken
		case f.For&roles != 0 && found.For&roles == 0:
			found.Format = f
		case (f.For&roles != 0 || found.For&roles == 0) && f.Name != found.Name && !found.Doubtful:
			found.Also = f
		}
	}
	return found
}

func (f *Format) score(h *Head) int {
	switch {
	case f.Syntax&h.Syntax == 0, f.For != 0 && f.Syntax == Table && h.Mark != cmp.Or(f.Mark, ',') && h.Mark != 0:
		return 0
	case f.Fit != nil:
		return f.Fit(h)
	}
	known := 0
	for _, field := range h.Fields {
		if listed(f.Must, field) || listed(f.Fields, field) {
			known++
		}
	}
	switch n := len(h.Fields); {
	case f.Must != "" && h.HasAll(f.Must):
		return 60 + 30*known/n
	case f.For == 0:
		return 0
	case known > 1 && known*2 > n, known == 1 && n == 1:
		return 60 * known / n
	case known*3 >= n && n > 0:
		return Mistaken
	}
	return 0
}

func listed(list, word string) bool {
	return word != "" && slices.Contains(strings.Split(list, ","), word)
}

// Accepted lists the accepted formats for a role: "a, b or c".
func Accepted(role Role) string {
	return list(role, func(f *Format) string { return cmp.Or(f.Accept, f.What) }) + others(role)
}

// Briefly lists the accepted formats for a role by their short names.
func Briefly(role Role) string { return list(role, func(f *Format) string { return f.Brief }) }

func list(role Role, name func(*Format) string) string {
	var all []string
	for _, f := range formats {
		if cmp.Or(f.List, f.For)&role != 0 && f.Of == "" {
			if one := name(f); one != "" && !slices.Contains(all, one) {
				all = append(all, one)
			}
		}
	}
	if n := len(all); n > 1 {
		all[n-2] += " or " + all[n-1]
		all = all[:n-1]
	}
	return strings.Join(all, ", ")
}

// others returns the end of a list of formats for roles that also accept foreign
// formats.
func others(role Role) string {
	if role&(Requests|Tasks|Placement) == 0 {
		return ""
	}
	return "; formats of other systems are on the page File formats"
}

// Refusal explains why a text does not fit any format for the role, and names the accepted formats;
// "" if it fits one.
func Refusal(text string, role Role) string {
	f := Look(text, role)
	switch {
	case f.Format == nil:
		return f.head.unknown() + "; expected " + Accepted(role)
	case f.Is(role) && f.Also == nil:
		return ""
	case f.Is(role):
		return "the text fits " + f.What + " as well as " + f.Also.What + ": use the column names of one of them"
	}
	if f.For == 0 && f.Do != "" {
		return f.Says()
	}
	return f.Says() + "; expected " + Accepted(role)
}

// Structured reports whether a text of any format is JSON, YAML, XML or a table with
// a header.
func (f Found) Structured() bool {
	switch f.head.Syntax {
	case JSON, YAML, XML:
		return true
	default:
		return f.head.header()
	}
}

// Says describes a text of a known format, with advice on how to use it.
func (f Found) Says() string {
	if f.Do != "" {
		return "found " + f.What + ": " + f.Do
	}
	for i, use := range uses {
		if f.For&(1<<i) != 0 {
			return "found " + f.What + ": " + use
		}
	}
	return "found " + f.What
}

// formats lists the formats in the order in which messages name them.
var formats = slices.Clone(own)

// Add registers a format ahead of the formats of this package. A second call with the same format
// does nothing. Only init functions may call it.
func Add(f *Format) {
	if !slices.Contains(formats, f) {
		formats = slices.Insert(formats, len(formats)-len(own), f)
	}
}

// Formats returns a copy of the list of all registered formats.
func Formats() []*Format { return slices.Clone(formats) }
