package sniff

import (
	"cmp"
	"slices"
	"strings"

	"berth/engine/plugin"
)

// Most is how many bytes of a text are looked at.
const Most = 64 << 10

// Role is a set of what texts may be for.
type Role uint16

// The roles, in the order in which they are named.
const (
	Deployments Role = 1 << iota
	Federations
	Requests
	Hosts
	Overheads
	HostEvents
	Manifests // of nodes and workloads, for QoS
	Controllers
	Classes
	Tasks
	Assignments
	Documents
)

// What the laboratories read.
const (
	Placement = Deployments | Federations
	QoS       = Requests | Hosts | Overheads | HostEvents
	Federate  = Tasks
)

// uses says what to do with a text for each role.
var uses = [...]string{
	"choose it as a deployment in Placement", "choose it as the federation in Placement", "choose it as the workload in QoS", "choose it as the hosts in QoS, or as the machines in Federate",
	"choose it as the overheads in QoS", "choose it as the host events in QoS", "choose it as hosts or controllers in QoS", "choose it as the controllers in QoS",
	"choose it as the classes in QoS", "choose it as the trace in Federate", "give it to berth place --gap", "open it on the page, or with berth run",
}

// Format is one entry of the table.
type Format struct {
	Name   string
	What   string // a text of it is called so: "a list of hosts"
	For    Role   // 0 of a format that is recognised and not read
	Too    Role   // what it is read for as well if it is chosen for that
	Accept string // what lists of accepted formats call it, "" for What
	Brief  string // what a hint calls it
	Of     string // of a format of another system: its system, and its columns where it is a table
	Do     string // what to do about it, where its first role does not say so
	// Part is what tables of the format belong to with others, "" for nothing, and Whole
	// says that the others are looked up for it.
	Part  string
	Whole bool

	list   Role // whose lists of accepted formats name it, 0 for all that it is for
	syntax Syntax
	mark   byte // between the columns of a table that is read; 0 is a comma
	// fields are columns of a table, or keys of an object. Those in must tell the
	// format alone; without any, more than half of the fields of a text have to be
	// among them.
	must, fields string
	// fit, if it is there, says how well a text fits, from 0 to 100.
	fit func(h *head) int
}

// Found is what a text is: the format that it fits best, nil for none, and another one
// that it fits as well, nil for none.
type Found struct {
	*Format
	Also *Format
	// Doubtful says that the text may be one of the format with mistakes.
	Doubtful bool
	head     *head
}

// Syntax returns the syntax of the text.
func (f Found) Syntax() Syntax { return f.head.syntax }

// Is says whether a text is for one of these roles.
func (f Found) Is(role Role) bool { return f.Format != nil && f.Format.Only(role) != 0 }

// Only returns what a text is for among these roles, by choice as well.
func (f *Format) Only(role Role) Role { return (f.For | f.Too) & role }

// Look tells what a text is. Where it fits two formats alike, that of the roles wins,
// and what may be a mistaken text of a format counts for these roles alone.
func Look(text string, roles Role) Found {
	h := headOf(text)
	found := Found{head: h}
	best := 0
	for i := range formats {
		f := &formats[i]
		score := f.score(h)
		switch {
		case score == 0, score < best, score <= mistaken && f.For&roles == 0:
		case score > best:
			best, found.Format, found.Also, found.Doubtful = score, f, nil, score <= mistaken
		case f.For&roles != 0 && found.For&roles == 0:
			found.Format = f
		case (f.For&roles != 0 || found.For&roles == 0) && f.Name != found.Name && !found.Doubtful:
			found.Also = f
		}
	}
	return found
}

// Missing says that a program has no reader of the format.
func (f *Format) Missing() error {
	return &plugin.MissingError{Message: "this program does not read " + f.What}
}

// As says whether a text is of the format of that name.
func As(text []byte, name string) bool {
	f := Look(string(text[:min(len(text), Most)]), 0)
	return f.Format != nil && f.Name == name
}

func (f *Format) score(h *head) int {
	switch {
	case f.syntax != h.syntax, f.For != 0 && f.syntax == Table && h.mark != cmp.Or(f.mark, ',') && h.mark != 0:
		return 0
	case f.fit != nil:
		return f.fit(h)
	}
	known := 0
	for _, field := range h.fields {
		if listed(f.must, field) || listed(f.fields, field) {
			known++
		}
	}
	switch n := len(h.fields); {
	case f.must != "" && h.hasAll(f.must):
		return 60 + 30*known/n
	case f.For == 0:
		return 0
	case known > 1 && known*2 > n, known == 1 && n == 1:
		return 60 * known / n
	case known*3 >= n && n > 0:
		return mistaken
	}
	return 0
}

// listed says whether a word is among those of a list with commas.
func listed(list, word string) bool {
	return word != "" && slices.Contains(strings.Split(list, ","), word)
}

// Accepted lists what a reader accepts: "a, b or c".
func Accepted(role Role) string {
	return list(role, func(f *Format) string { return cmp.Or(f.Accept, f.What) }) + others(role)
}

// Briefly lists the same in a few words.
func Briefly(role Role) string { return list(role, func(f *Format) string { return f.Brief }) }

func list(role Role, name func(*Format) string) string {
	var all []string
	for i := range formats {
		if f := &formats[i]; cmp.Or(f.list, f.For)&role != 0 && f.Of == "" {
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

// others ends a list of formats for which those of other systems are read, too.
func others(role Role) string {
	if role&(Requests|Tasks) == 0 {
		return ""
	}
	return "; formats of other systems are on the page File formats"
}

// Refusal says why a text is not of a format for these roles, and what is; "" if it is
// of one.
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

// Structured reports whether a text, of whatever format, is JSON, YAML, XML or a table
// with a header.
func (f Found) Structured() bool {
	switch f.head.syntax {
	case JSON, YAML, XML:
		return true
	default:
		return f.head.header()
	}
}

// Says says what a text of a known format is, and who reads it or what to do.
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

// Formats returns the table.
func Formats() []Format { return slices.Clone(formats) }

// OfOthers returns the formats of other systems that are read, in the order of the table.
func OfOthers() []Format {
	return slices.DeleteFunc(Formats(), func(f Format) bool { return f.Of == "" })
}
