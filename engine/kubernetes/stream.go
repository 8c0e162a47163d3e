package kubernetes

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"

	"berth/engine/budget"
	"berth/engine/diag"
	"berth/engine/format"
	"berth/engine/packing"
	"berth/engine/replay"
)

// MaxStream bounds the bytes of what is read as a stream, and maxItem those of one object
// in it.
const (
	MaxStream = 4 << 30
	maxItem   = 64 << 20
)

// Streams says whether a text that begins so is what kubectl get -o json prints of several
// objects, which [StreamCluster] reads without having all of it at once.
func Streams(head []byte) bool {
	_, found := itemsAt(head)
	return found
}

// itemsAt finds where the items of a List begin: "items" is one of its first fields, with
// nothing but single values before it.
func itemsAt(head []byte) (at int, found bool) {
	head = bytes.TrimLeft(head, " \t\r\n")
	if len(head) == 0 || head[0] != '{' {
		return 0, false
	}
	i := bytes.Index(head, []byte(`"items"`))
	if i < 0 || bytes.ContainsAny(head[1:i], "{[") {
		return 0, false
	}
	rest := bytes.TrimLeft(head[i+len(`"items"`):], " \t\r\n:")
	return len(head) - len(rest) + 1, len(rest) > 0 && rest[0] == '['
}

// StreamCluster is [ReadCluster] of what [Streams]: it reads object by object, and keeps
// what a replay needs.
func StreamCluster(file string, r io.Reader, options format.Options) (*replay.Cluster, diag.List) {
	o := newObjects(file, options)
	c := &replay.Cluster{Name: clusterName(file)}
	names, owners := map[string]string{}, map[packing.Owner]packing.Owner{}
	shared := shapes{}
	o.live = func(p *pod) {
		o.streamedPods++
		pod := o.livePod(p, shared)
		pod.Name = strings.Clone(pod.Name)
		if _, known := owners[pod.Owner]; !known {
			own := packing.Owner{Kind: strings.Clone(pod.Owner.Kind), Namespace: strings.Clone(pod.Owner.Namespace), Name: strings.Clone(pod.Owner.Name)}
			owners[own] = own
		}
		pod.Owner = owners[pod.Owner]
		if names[pod.On] == "" {
			names[strings.Clone(pod.On)] = strings.Clone(pod.On)
		}
		pod.On = names[pod.On]
		c.Pods = append(c.Pods, pod)
	}
	room := &roomForOne{trees: make([]tree, 4*treesForOne)}
	in := &items{r: io.LimitReader(r, MaxStream)}
	err := in.open()
	for n := 1; err == nil; n++ {
		var text string
		var line int
		if text, line, err = in.next(); err == nil {
			o.streamed(n, text, line, room)
		}
	}
	if !errors.Is(err, io.EOF) {
		o.source.document, o.source.element = 0, ""
		o.source.add(diag.Error, in.line, 1, "", brokenStream, err)
	}
	o.joinClaims()
	o.tellSkipped()
	return o.finished(c, shared)
}

// treesForOne are enough for nearly all objects.
const treesForOne = 1024

// roomForOne is what the trees of one object take, and are let go with it.
type roomForOne struct {
	trees, stack []tree
}

// streamed reads one object of a stream. Of pods nothing is kept but what was made of them,
// so the next object has their room.
func (o *objects) streamed(n int, text string, line int, room *roomForOne) {
	p := plain{text: text, line: 1, budget: budget.New(budget.Limits{}), free: room.trees, stack: room.stack[:0]}
	all, at, err := p.documents()
	o.source.document, o.source.element = n, ""
	if err != nil || len(all) != 1 || all[0] == nil {
		o.source.add(diag.Error, line+max(0, at-1), 1, "", objectNotJSON)
		return
	}
	o.source.lines = line - 1
	pods := o.streamedPods
	o.object(&value{node: all[0], source: o.source})
	o.source.lines = 0
	room.stack, o.source.values = p.stack, o.source.values[:0]
	if o.streamedPods == pods {
		room.trees, o.source.values = p.free, nil // what it is made of is kept
		if len(room.trees) < treesForOne {
			room.trees = make([]tree, 4*treesForOne)
		}
	}
}

// items goes through the objects of a List.
type items struct {
	r    io.Reader
	data []byte // that was read and is not passed yet
	at   int
	line int // of data[at], from 1
	end  error
	kept []byte
}

// more reads on, and says whether there is more.
func (x *items) more() bool {
	if x.end != nil {
		return false
	}
	if x.at > 0 {
		x.data = x.data[:copy(x.data, x.data[x.at:])]
		x.at = 0
	}
	const chunk = 1 << 20
	from := len(x.data)
	x.data = slices.Grow(x.data, chunk)
	n, err := io.ReadFull(x.r, x.data[from:from+chunk])
	x.data = x.data[:from+n]
	x.end = err
	return n > 0
}

// open goes to the first item.
func (x *items) open() error {
	x.line = 1
	x.more()
	head := x.data[:min(len(x.data), 4096)]
	lead := len(head) - len(bytes.TrimLeft(head, " \t\r\n"))
	at, found := itemsAt(head)
	if !found {
		return errors.New("there is no list of objects")
	}
	x.pass(lead + at)
	return nil
}

// pass goes on by n bytes.
func (x *items) pass(n int) {
	x.line += bytes.Count(x.data[x.at:x.at+n], []byte{'\n'})
	x.at += n
}

var errCut = errors.New("the list of objects ends in the middle")

// next returns the next object without what nothing here looks into, and its line; io.EOF
// behind the last.
func (x *items) next() (text string, line int, err error) {
	for {
		if x.at == len(x.data) && !x.more() {
			return "", 0, errCut
		}
		switch x.data[x.at] {
		case ' ', '\n', '\r', '\t', ',':
			x.pass(1)
			continue
		case ']':
			return "", 0, io.EOF
		case '{':
		default:
			return "", 0, errors.New("there is something else than objects in the list")
		}
		break
	}
	size, err := x.size()
	if err != nil {
		return "", 0, err
	}
	line = x.line
	x.kept = prune(x.kept[:0], x.data[x.at:x.at+size])
	x.pass(size)
	return string(x.kept), line, nil
}

// size finds the end of the object that begins here.
func (x *items) size() (int, error) {
	depth, quoted := 0, false
	for i := 0; ; i++ {
		for x.at+i >= len(x.data) {
			if i > maxItem || !x.more() {
				return 0, errCut
			}
		}
		c := x.data[x.at+i]
		switch {
		case c == '"':
			quoted = !quoted
		case quoted:
			if c == '\\' {
				i++
			}
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			depth--
			if depth == 0 {
				return i + 1, nil
			}
		}
	}
}

// unneeded are the fields of objects that say nothing about where pods may run, and that
// are most of what kubectl prints.
var unneeded = map[string]bool{
	"managedFields": true, "containerStatuses": true, "initContainerStatuses": true, "volumeMounts": true, "env": true, "envFrom": true,
	"livenessProbe": true, "readinessProbe": true, "startupProbe": true, "lifecycle": true, "securityContext": true, "command": true, "args": true, "annotations": true,
}

// prune copies an object, with null for what is not needed. Lines stay the same.
func prune(to, from []byte) []byte {
	copied := 0
	for i := 0; i < len(from); i++ {
		if from[i] != '"' {
			continue
		}
		end := stringEnd(from, i)
		key := from[i+1 : end]
		i = end
		colon := end + 1
		for colon < len(from) && isSpace(from[colon]) {
			colon++
		}
		if colon >= len(from) || from[colon] != ':' || !unneeded[string(key)] {
			continue
		}
		begin := colon + 1
		for begin < len(from) && isSpace(from[begin]) {
			begin++
		}
		stop := valueEnd(from, begin)
		to = append(append(to, from[copied:begin]...), "null"...)
		for range bytes.Count(from[begin:stop], []byte{'\n'}) {
			to = append(to, '\n')
		}
		copied, i = stop, stop-1
	}
	return append(to, from[copied:]...)
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\r' || c == '\t' }

// stringEnd is where the closing quote of a string is.
func stringEnd(text []byte, at int) int {
	for i := at + 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return len(text) - 1
}

// valueEnd is where a value ends.
func valueEnd(text []byte, at int) int {
	depth := 0
	for i := at; i < len(text); i++ {
		switch text[i] {
		case '"':
			i = stringEnd(text, i)
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return i // of a single value at the end of its mapping
			}
			depth--
		case ',':
			if depth == 0 {
				return i
			}
			continue
		default:
			continue
		}
		if depth == 0 {
			return i + 1
		}
	}
	return len(text)
}
