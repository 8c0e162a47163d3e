package manifest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	yaml "go.yaml.in/yaml/v3"

	"berth/engine/budget"
	"berth/engine/diag"
	"berth/engine/show"
)

// maxReported is the number of diagnostics of one severity that are kept for a file.
const maxReported = 100

// source is a file being read, with its diagnostics.
type source struct {
	file     string
	strict   bool
	budget   *budget.Budget
	document int     // number of the current document, from 1
	lines    int     // lines before the current text
	values   []value // preallocated values
	found    diag.List
	count    [diag.Severities]int
}

// subject is an object of a source, or one of its documents. Diagnostics name it.
type subject struct {
	*source
	document int    // 0 for the whole file
	element  string // kind and name of the object; "" for a document
}

// here returns the current document.
func (s *source) here() *subject { return &subject{source: s, document: s.document} }

// add records a diagnostic unless it is already recorded, because several parts of a pod read the
// same quantity.
func (s *subject) add(severity diag.Severity, line, column int, field string, code *diag.Code, args ...any) {
	if severity == diag.Warning && s.strict {
		severity = diag.Error
	}
	if s.count[severity] >= maxReported {
		s.count[severity]++
		return
	}
	where := ""
	if s.document > 0 {
		where = fmt.Sprintf("document %d", s.document)
	}
	for _, part := range []string{s.element, show.Text(field)} {
		if part != "" && where != "" {
			where += ", " + part
		}
	}
	found := diag.New(s.file, line, column, code, args...)
	if where != "" {
		found.Code, found.Args = diag.InvalidPart, []any{where, code.New(args...)}
	}
	found.Severity, found.Element, found.Field = severity, s.element, show.Text(field)
	if !slices.ContainsFunc(s.found, found.Same) {
		s.found = append(s.found, *found)
		s.count[severity]++
	}
}

// whole records a diagnostic about the whole file.
func (s *source) whole(severity diag.Severity, code *diag.Code, args ...any) {
	(&subject{source: s}).add(severity, 1, 1, "", code, args...)
}

// diagnostics returns all diagnostics, with the number of suppressed ones for each
// severity.
func (s *source) diagnostics() diag.List {
	for severity := diag.Error; severity > diag.Note; severity-- {
		if more := s.count[severity] - maxReported; more > 0 {
			one := diag.New(s.file, 0, 0, diag.More, show.Count(more, "more "+severity.String()))
			one.Severity = severity
			s.found = append(s.found, *one)
		}
	}
	return s.found
}

type treeKind uint8

const (
	isMapping treeKind = iota
	isList
	isScalar
)

var kindNames = [...]string{isMapping: "a mapping", isList: "a list", isScalar: "a single value"}

// tree is a value of a document, with aliases expanded.
type tree struct {
	text         string // of a scalar
	content      []tree // items of a list; keys and values of a mapping, alternating
	origin       *yaml.Node
	line, column int32
	kind         treeKind
	null, merge  bool // scalar: null; the merge key <<
	bare         bool // scalar: without quotation marks, so it may be a number or a boolean
}

// twice returns the indexes in content of a repeated key and of its first occurrence;
// -1 if all keys are distinct.
func (n *tree) twice() (again, first int) {
	var seen map[string]int
	if len(n.content) > 32 {
		seen = make(map[string]int, len(n.content)/2)
	}
	for i := 0; i < len(n.content); i += 2 {
		key := n.content[i].text
		if seen != nil {
			if k, known := seen[key]; known {
				return i, k
			}
			seen[key] = i
			continue
		}
		for k := 0; k < i; k += 2 {
			if n.content[k].text == key {
				return i, k
			}
		}
	}
	return -1, -1
}

// value is a node of a document with its path. A missing field is a value without a node, whose
// fields are missing, too.
type value struct {
	node   *tree
	source *subject
	up     *value
	key    string
	index  int
}

// path returns the path in the object, such as spec.containers[0].image.
func (v *value) path() string {
	switch {
	case v == nil || v.up == nil:
		return ""
	case v.key == "":
		return fmt.Sprintf("%s[%d]", v.up.path(), v.index)
	}
	if head := v.up.path(); head != "" {
		return head + "." + v.key
	}
	return v.key
}

func (v *value) there() bool { return v.node != nil }

// report records a diagnostic at the position of the value. A missing value has the position of the
// innermost existing value around it.
func (v *value) report(severity diag.Severity, code *diag.Code, args ...any) {
	at := v
	for at.node == nil {
		at = at.up
	}
	v.source.add(severity, int(at.node.line), int(at.node.column), v.path(), code, args...)
}

func (v *value) wrong(code *diag.Code, args ...any) { v.report(diag.Error, code, args...) }

// present returns n, or nil if n is null.
func present(n *tree) *tree {
	if n.null {
		return nil
	}
	return n
}

// is reports whether the value exists and has the given kind. A value of another kind
// is reported as an error and becomes missing.
func (v *value) is(k treeKind) bool {
	if v.node != nil && v.node.kind != k {
		v.wrong(otherSort, kindNames[k], kindNames[v.node.kind])
		v.node = nil
	}
	return v.node != nil
}

// at returns a field of a mapping, including fields merged in with <<.
func (v *value) at(key string) *value {
	s := v.source
	if len(s.values) == cap(s.values) {
		s.values = make([]value, 0, 256)
	}
	s.values = append(s.values, value{source: s, up: v, key: key})
	child := &s.values[len(s.values)-1]
	if v.is(isMapping) {
		child.node = v.node.field(key)
	}
	return child
}

// in returns the field at a path of keys.
func (v *value) in(path ...string) *value {
	for _, key := range path {
		v = v.at(key)
	}
	return v
}

func (n *tree) field(key string) *tree {
	var merged *tree
	for i := 0; i < len(n.content); i += 2 {
		switch name := &n.content[i]; {
		case name.text == key:
			return present(&n.content[i+1])
		case name.merge:
			merged = &n.content[i+1]
		}
	}
	if merged == nil {
		return nil
	}
	for _, m := range listed(merged) {
		if m.kind == isMapping {
			if found := m.field(key); found != nil {
				return found
			}
		}
	}
	return nil
}

// listed returns the items of a list, or a list of the single value n.
func listed(n *tree) []tree {
	if n.kind == isList {
		return n.content
	}
	return []tree{*n}
}

// items returns the items of a list, nil if the value is missing. A value of another kind is
// reported as an error.
func (v *value) items() []value {
	if !v.is(isList) {
		return nil
	}
	all := make([]value, len(v.node.content))
	for i := range all {
		all[i] = value{node: present(&v.node.content[i]), source: v.source, up: v, index: i}
	}
	return all
}

// fields calls each for each field of a mapping.
func (v *value) fields(each func(key string, field *value)) {
	if !v.is(isMapping) {
		return
	}
	for i := 0; i < len(v.node.content); i += 2 {
		name, n := &v.node.content[i], &v.node.content[i+1]
		if name.merge {
			for _, m := range listed(n) {
				from := value{node: present(&m), source: v.source, up: v.up, key: v.key, index: v.index}
				from.fields(each)
			}
			continue
		}
		child := value{node: present(n), source: v.source, up: v, key: name.plain()}
		each(child.key, &child)
	}
}

// text returns a text, or "" if it is missing. A number or a boolean is an error.
func (v *value) text() string {
	if !v.is(isScalar) {
		return ""
	}
	if sort := v.node.sort(); sort != "" {
		v.wrong(notText, show.Quote(v.node.text), sort)
	}
	return v.node.text
}

// whole returns a 32-bit integer that is at least least, or otherwise if it is missing or invalid.
func (v *value) whole(least, otherwise int) int {
	if !v.there() || !v.is(isScalar) {
		return otherwise
	}
	n, err := strconv.ParseInt(v.node.plain(), 10, 32)
	if err != nil || int(n) < least {
		v.wrong(notCount, show.Quote(v.node.text), least, math.MaxInt32)
		return otherwise
	}
	return int(n)
}

// number returns an integer that is at least 0, or otherwise if it is missing or invalid.
func (v *value) number(otherwise int) int { return v.whole(0, otherwise) }

func (v *value) truth() bool {
	if !v.there() || !v.is(isScalar) {
		return false
	}
	text := v.node.plain()
	if text != "true" && text != "false" {
		v.wrong(notTruth, show.Quote(v.node.text))
	}
	return text == "true"
}

// each reads the items of a list.
func each[T any](v *value, read func(*value) T) (all []T) {
	for _, item := range v.items() {
		all = append(all, read(&item))
	}
	return all
}

func (v *value) texts() []string { return each(v, (*value).text) }

// textMap returns a mapping to texts, or nil if it is missing.
func (v *value) textMap() map[string]string {
	if !v.there() {
		return nil
	}
	all := map[string]string{}
	v.fields(func(key string, field *value) { all[key] = field.text() })
	return all
}

// documents reads the documents of a file one by one. It stops at invalid YAML and
// when the budget is exhausted.
func (s *source) documents(text []byte, each func(root *value)) {
	if !s.take(budget.Bytes, len(text)) {
		return
	}
	s.parts(text, func(part []byte) {
		before := *s.budget
		all, line, err := readPlain(string(part), s.lines+1, s.budget)
		switch {
		case errors.Is(err, errNotPlain):
			*s.budget = before
			s.originals(part, each)
			return
		case err != nil:
			s.here().add(diag.Error, line, 1, "", diag.Invalid, err)
			return
		}
		for _, root := range all {
			s.document++
			if root != nil {
				each(&value{node: root, source: s.here()})
			}
		}
	})
}

// parts splits a sequence of JSON documents without --- between them. Any other text
// is one part. Line ends may be of any platform.
func (s *source) parts(text []byte, read func(part []byte)) {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	if bytes.IndexByte(text, '\r') >= 0 {
		text = bytes.ReplaceAll(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")), []byte("\r"), []byte("\n"))
	}
	for len(text) > 0 {
		end := jsonEnd(text)
		part := text[:end]
		if bytes.IndexByte(part, '\t') >= 0 && json.Valid(part) {
			part = spaced(bytes.Clone(part))
		}
		read(part)
		s.lines += bytes.Count(part, []byte("\n"))
		text = text[end:]
	}
}

// jsonEnd returns the position after the first JSON document if another one follows,
// otherwise the length of the text.
func jsonEnd(text []byte) int {
	begin := afterSpace(text, 0)
	if begin == len(text) || text[begin] != '{' {
		return len(text)
	}
	end := begin + closing(text[begin:], 0)
	if next := afterSpace(text, max(end, begin)); end > begin && next < len(text) && text[next] == '{' && json.Valid(text[begin:end]) {
		return end
	}
	return len(text)
}

// take charges an amount for the whole file to the budget and reports whether the
// budget allows it.
func (s *source) take(k budget.Quantity, n int) bool {
	err := s.budget.Take(k, n)
	if err != nil {
		s.whole(diag.Error, diag.Invalid, err)
	}
	return err == nil
}

// originals reads documents with the YAML library and keeps the library's nodes. It charges an
// upper bound to the budget in advance, because the library itself has no limit.
func (s *source) originals(text []byte, each func(root *value)) {
	if !s.take(budget.Originals, countValues(text)) {
		return
	}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	for {
		var read yaml.Node
		err := decoder.Decode(&read)
		if errors.Is(err, io.EOF) {
			return
		}
		s.document++
		if err != nil {
			s.syntax(text, err)
			return
		}
		if len(read.Content) != 1 {
			continue
		}
		var root tree
		if c := (&checker{source: s}); c.check(read.Content[0], &root) && !root.null {
			each(&value{node: &root, source: s.here()})
		}
	}
}

// countValues returns an upper bound of the number of values in a YAML text.
func countValues(text []byte) int {
	n := 0
	for i, c := range text {
		switch c {
		case ',', '[', '{', ':', '?', '\n':
			n++
		case '-':
			if i+1 < len(text) && text[i+1] == ' ' {
				n++
			}
		}
	}
	return n
}

// syntax reports invalid YAML at the line that the library's message names.
func (s *source) syntax(text []byte, err error) {
	line, message := 1, err.Error()
	if text, ok := strings.CutPrefix(strings.ReplaceAll(message, "\n", " "), "yaml: "); ok { // yaml: line 3: …
		message = text
		number, rest, both := strings.Cut(strings.TrimPrefix(text, "line "), ": ")
		if n, err := strconv.Atoi(number); err == nil && both && strings.HasPrefix(text, "line ") {
			line, message = n, rest
		}
	}
	column := 1
	lines := bytes.Split(text, []byte("\n"))
	for n := line; n <= min(line+1, len(lines)); n++ { // the library sometimes counts lines from 0
		of := lines[max(n, 1)-1]
		if content := bytes.TrimLeft(of, " -"); bytes.HasPrefix(content, []byte("\t")) {
			line, column, message = n, len(of)-len(content)+1, "a tab in the indentation: YAML is indented with spaces"
			break
		}
	}
	s.here().add(diag.Error, s.lines+line, column, "", notYAML, show.Text(message))
}

// checker converts a document into a tree. It rejects documents that are too deep, have repeated
// keys, or have aliases that expand to too many values.
type checker struct {
	source *source
	open   map[*yaml.Node]bool // anchored values around the current one
	alias  *yaml.Node          // outermost alias around the current value; nil for none
	failed bool
}

func (c *checker) check(n *yaml.Node, root *tree) bool {
	c.open = map[*yaml.Node]bool{}
	c.copy(n, root, 0)
	return !c.failed
}

// copy converts a node of the library into a tree.
func (c *checker) copy(from *yaml.Node, to *tree, depth int) {
	if err := c.source.budget.Deeper(depth, "values"); err != nil {
		c.fail(from, diag.Invalid, err)
	}
	if from.Kind == yaml.AliasNode {
		c.expand(from, to, depth)
		return
	}
	if c.alias != nil {
		if err := c.source.budget.Take(budget.Aliases, 1); err != nil {
			c.fail(c.alias, diag.Invalid, err)
		}
	}
	*to = tree{text: from.Value, origin: from, line: int32(c.source.lines + from.Line), column: int32(from.Column)}
	switch from.Kind {
	case yaml.ScalarNode:
		to.kind, to.null, to.merge = isScalar, from.ShortTag() == "!!null", from.ShortTag() == "!!merge"
		to.bare = from.Style == 0
	case yaml.SequenceNode:
		to.kind = isList
	}
	if from.Anchor != "" {
		c.open[from] = true
		defer delete(c.open, from)
	}
	to.content = make([]tree, len(from.Content))
	for i, child := range from.Content {
		if c.failed {
			return
		}
		c.copy(child, &to.content[i], depth+1)
	}
	if to.kind == isMapping && !c.failed {
		c.keys(to)
	}
}

// expand copies the value of an alias.
func (c *checker) expand(alias *yaml.Node, to *tree, depth int) {
	if c.open[alias.Alias] {
		c.fail(alias, aliasWithin, show.Text(alias.Value))
	}
	if c.failed {
		return
	}
	if c.alias == nil {
		c.alias = alias
		defer func() { c.alias = nil }()
	}
	c.copy(alias.Alias, to, depth+1)
}

// keys reports keys of a mapping that are not scalars or are repeated.
func (c *checker) keys(n *tree) {
	for i := 0; i < len(n.content); i += 2 {
		if key := &n.content[i]; key.kind != isScalar {
			c.fail(key.origin, keyNotSingle, kindNames[key.kind])
			return
		}
	}
	if again, first := n.twice(); again >= 0 {
		key := &n.content[again]
		c.fail(key.origin, keyTwice, show.Quote(key.text), n.content[first].line)
	}
}

func (c *checker) fail(n *yaml.Node, code *diag.Code, args ...any) {
	if !c.failed {
		c.source.here().add(diag.Error, c.source.lines+n.Line, n.Column, "", code, args...)
	}
	c.failed = true
}
