package manifest

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"unique"

	"berth/engine/budget"
	"berth/engine/diag"
	"berth/engine/input/format"
	"berth/engine/kube"
)

// MaxStream limits the bytes read from a stream, maxItem the bytes of one object in
// it.
const (
	MaxStream = 4 << 30
	maxItem   = 64 << 20
)

// Streams reports whether a text with this beginning is a List of objects as printed
// by kubectl get -o json, which [StreamCluster] can read without holding all of it in
// memory. It is false if the type of the items may appear only after them.
func Streams(head []byte) bool {
	begin, of, found := itemsAt(head)
	first := bytes.TrimLeft(head[begin:], " \t\r\n{")
	return found && (of.kind != "" || bytes.HasPrefix(first, []byte(`"apiVersion"`)) || bytes.HasPrefix(first, []byte(`"kind"`)))
}

// itemsAt returns the offset of the first item of a List and the type that the List
// gives its items.
func itemsAt(head []byte) (at int, of typed, found bool) {
	d := json.NewDecoder(bytes.NewReader(head))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return 0, of, false
	}
	for d.More() {
		key, err := d.Token()
		if err == nil && key == "items" {
			open, err := d.Token()
			return int(d.InputOffset()), of, err == nil && open == json.Delim('[')
		}
		var value any
		if err != nil || d.Decode(&value) != nil {
			break
		}
		switch text, _ := value.(string); key {
		case "kind":
			of.kind = strings.TrimSuffix(text, "List")
		case "apiVersion":
			of.version = text
		}
	}
	return 0, of, false
}

// StreamCluster is [ReadCluster] for large dumps (see [Streams]). It reads one object
// at a time and keeps only the data that a replay needs.
func StreamCluster(file string, r io.Reader, options format.Options) (*kube.Cluster, diag.List) {
	o := newObjects(file, options)
	c := &kube.Cluster{Name: clusterName(file)}
	shared := shapes{}
	o.live = func(p *pod) {
		o.streamedPods++
		pod := o.livePod(p, shared)
		pod.Name, pod.On = strings.Clone(pod.Name), unique.Make(pod.On).Value()
		pod.Owner = kube.Owner{Kind: unique.Make(pod.Owner.Kind).Value(), Namespace: unique.Make(pod.Owner.Namespace).Value(), Name: unique.Make(pod.Owner.Name).Value()}
		c.Pods = append(c.Pods, pod)
	}
	room := &roomForOne{trees: make([]tree, 4*treesForOne)}
	most := &io.LimitedReader{R: r, N: MaxStream}
	in := &items{r: most, line: 1}
	var err error
	for n := 1; err == nil; n++ {
		var text string
		var line int
		if text, line, err = in.next(); err == nil {
			o.streamed(n, text, line, in.of, room)
		}
	}
	if !errors.Is(err, io.EOF) {
		whole := &subject{source: o.source}
		if most.N > 0 {
			whole.add(diag.Error, in.line, 1, "", brokenStream, err)
		} else {
			whole.add(diag.Error, in.line, 1, "", longStream, MaxStream>>30)
		}
	}
	o.joinClaims()
	o.reportSkipped()
	return o.finished(c, shared)
}

// treesForOne is the number of trees that suffice for nearly all objects.
const treesForOne = 1024

// roomForOne is memory for the trees of one object, reused for the next.
type roomForOne struct {
	trees, stack []tree
}

// streamed reads object n of a stream. Pods keep no reference to their trees, so the
// next object reuses that memory; other objects keep their trees.
func (o *objects) streamed(n int, text string, line int, of typed, room *roomForOne) {
	p := plain{text: text, line: line, budget: budget.New(budget.Limits{}), free: room.trees, stack: room.stack[:0]}
	all, at, err := p.documents()
	here := &subject{source: o.source, document: n}
	if err != nil || len(all) != 1 || all[0] == nil {
		here.add(diag.Error, max(line, at), 1, "", objectNotJSON)
		return
	}
	pods := o.streamedPods
	(&value{node: all[0], source: here}).objects(of, o.object)
	room.stack, o.source.values = p.stack, o.source.values[:0]
	if o.streamedPods == pods {
		room.trees, o.source.values = p.free, nil // the object keeps its trees and values
		if len(room.trees) < treesForOne {
			room.trees = make([]tree, 4*treesForOne)
		}
	}
}

// items splits a stream into objects. The stream is a sequence of Lists and single
// objects.
type items struct {
	r    io.Reader
	data []byte // bytes that have been read; data[at:] is not yet consumed
	at   int
	line int // line of data[at], from 1
	end  error
	kept []byte
	list bool  // at is within a List
	of   typed // type of the List's items, if the List states it
}

// more discards the consumed bytes, reads more of the stream, and reports whether it got any bytes.
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
	for len(x.data) == from && x.end == nil {
		x.data = slices.Grow(x.data, chunk)
		var n int
		n, x.end = io.ReadFull(x.r, x.data[from:from+chunk])
		x.data = append(x.data[:from], spaced(x.data[from:from+n])...)
	}
	return len(x.data) > from
}

// spaced replaces tabs by spaces and removes carriage returns. They are white space
// in JSON, but the YAML reader does not accept them.
func spaced(text []byte) []byte {
	if bytes.IndexByte(text, '\r') >= 0 {
		text = slices.DeleteFunc(text, func(c byte) bool { return c == '\r' })
	}
	for i := bytes.IndexByte(text, '\t'); i >= 0 && i < len(text); i++ {
		if text[i] == '\t' {
			text[i] = ' '
		}
	}
	return text
}

// pass consumes n bytes and counts the lines that end in them.
func (x *items) pass(n int) {
	x.line += bytes.Count(x.data[x.at:x.at+n], []byte{'\n'})
	x.at += n
}

var errCut = errors.New("the list of objects ends in the middle")

// next returns the next object without its unneeded fields, and its line; io.EOF
// after the last object.
func (x *items) next() (text string, line int, err error) {
	for {
		if x.at == len(x.data) && !x.more() {
			if x.list {
				return "", 0, errCut
			}
			return "", 0, io.EOF
		}
		switch c := x.data[x.at]; {
		case isSpace(c) || c == ',' && x.list || c == '-' && !x.list: // a --- may separate documents
			x.pass(1)
			continue
		case c == ']' && x.list: // skip the rest of the List
			size, err := x.size(2)
			if err != nil {
				return "", 0, err
			}
			x.pass(size)
			x.list, x.of = false, typed{}
			continue
		case c != '{':
			return "", 0, errors.New("there is something else than objects in the list")
		}
		if x.list || !x.open() {
			break
		}
	}
	size, err := x.size(0)
	if err != nil {
		return "", 0, err
	}
	line = x.line
	x.kept = prune(x.kept[:0], x.data[x.at:x.at+size])
	x.pass(size)
	return string(x.kept), line, nil
}

// open moves to the first item if a List begins here, and reports whether one does.
func (x *items) open() bool {
	for len(x.data)-x.at < longestHead && x.more() {
	}
	head := x.data[x.at:]
	at, of, found := itemsAt(head[:min(len(head), longestHead)])
	if found {
		x.pass(at)
		x.list, x.of = true, of
	}
	return found
}

// longestHead exceeds the length of a List before its items, in bytes.
const longestHead = 4096

// size returns the length in bytes of the object at the current position. If depth is not 0, the
// position is inside depth open brackets, and size returns the distance to the end of the outermost
// bracket.
func (x *items) size(depth int) (int, error) {
	for {
		if end := closing(x.data[x.at:], depth); end >= 0 {
			return end, nil
		}
		if len(x.data)-x.at > maxItem || !x.more() {
			return 0, errCut
		}
	}
}

// closing returns the position after the bracket that closes the outermost bracket of the text, or
// -1 if the text ends first. The text starts inside depth open brackets.
func closing(text []byte, depth int) int {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			i = stringEnd(text, i)
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}

// unneeded are fields that do not affect where pods can run and that make up most of
// kubectl's output. They hold a list or a mapping; a scalar under such a name is a
// label, which is kept.
var unneeded = map[string]bool{
	"managedFields": true, "lastState": true, "volumeMounts": true, "env": true, "envFrom": true,
	"livenessProbe": true, "readinessProbe": true, "startupProbe": true, "lifecycle": true, "securityContext": true, "command": true, "args": true,
}

// lastApplied is an annotation that contains an older version of the object.
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// prune copies an object with null instead of unneeded values. It keeps the number of lines.
func prune(to, from []byte) []byte {
	copied := 0
	for i := 0; i < len(from); i++ {
		if from[i] != '"' {
			continue
		}
		end := stringEnd(from, i)
		key := from[i+1 : end]
		i = end
		colon := afterSpace(from, end+1)
		if colon == len(from) || from[colon] != ':' {
			continue
		}
		begin, stop := afterSpace(from, colon+1), 0
		switch {
		case begin == len(from):
		case unneeded[string(key)] && (from[begin] == '{' || from[begin] == '['):
			stop = begin + closing(from[begin:], 0)
		case string(key) == lastApplied && from[begin] == '"':
			stop = stringEnd(from, begin) + 1
		}
		if stop <= begin {
			continue
		}
		to = append(append(to, from[copied:begin]...), "null"...)
		for range bytes.Count(from[begin:stop], []byte{'\n'}) {
			to = append(to, '\n')
		}
		copied, i = stop, stop-1
	}
	return append(to, from[copied:]...)
}

// afterSpace returns the position of the first byte from a position on that is no white space.
func afterSpace(text []byte, at int) int {
	for at < len(text) && isSpace(text[at]) {
		at++
	}
	return at
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\r' || c == '\t' }

// stringEnd returns the position of the closing quote of the string at a position.
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
