package kubernetes

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	yaml "go.yaml.in/yaml/v3"

	"berth/engine/diag"
	"berth/engine/plural"
	"berth/engine/show"
)

// What a file may hold at most.
const (
	MaxBytes    = 64 << 20
	MaxValues   = 12_000_000 // in the text
	MaxDepth    = 200
	MaxAliased  = 1_000_000 // values that aliases stand for
	maxReported = 100       // diagnostics of each severity
)

// source is a file that is being read, and what is said of it.
type source struct {
	file     string
	strict   bool
	document int // from 1
	element  string
	found    diag.List
	count    [diag.Severities]int
}

func (s *source) add(severity diag.Severity, line, column int, field, message string) {
	if severity == diag.Warning && s.strict {
		severity = diag.Error
	}
	if s.count[severity]++; s.count[severity] > maxReported {
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
	if where != "" {
		message = where + ": " + message
	}
	s.found = append(s.found, diag.Diagnostic{
		File: s.file, Line: line, Column: column, Severity: severity, Element: s.element, Field: show.Text(field), Message: message,
	})
}

// whole says something of the whole file.
func (s *source) whole(severity diag.Severity, format string, args ...any) {
	s.document, s.element = 0, ""
	s.add(severity, 1, 1, "", fmt.Sprintf(format, args...))
}

// diagnostics returns what was found; of what was left out, how much.
func (s *source) diagnostics() diag.List {
	for severity := diag.Error; severity > diag.Note; severity-- {
		if more := s.count[severity] - maxReported; more > 0 {
			s.found = append(s.found, diag.Diagnostic{File: s.file, Severity: severity, Message: "and " + plural.Of(more, "more "+severity.String())})
		}
	}
	return s.found
}

// value is a node of a document with the way to it. The zero value is a field
// that is not there, of which everything is absent too.
type value struct {
	node   *yaml.Node
	source *source
	up     *value
	key    string
	index  int
}

// path is where a value stands in its object: spec.containers[0].image.
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

func (v *value) tell(severity diag.Severity, format string, args ...any) {
	v.source.add(severity, v.node.Line, v.node.Column, v.path(), fmt.Sprintf(format, args...))
}

func (v *value) wrong(format string, args ...any) { v.tell(diag.Error, format, args...) }

// resolve follows aliases; null is absent.
func resolve(n *yaml.Node) *yaml.Node {
	for n != nil && n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if n != nil && n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" {
		return nil
	}
	return n
}

var kindNames = map[yaml.Kind]string{yaml.MappingNode: "a mapping", yaml.SequenceNode: "a list", yaml.ScalarNode: "a single value"}

// is says whether the value is there and of a kind; another kind is an error.
func (v *value) is(kind yaml.Kind) bool {
	if v.node != nil && v.node.Kind != kind {
		v.wrong("expected %s, found %s", kindNames[kind], kindNames[v.node.Kind])
		v.node = nil
	}
	return v.node != nil
}

// at returns a field of a mapping; of those that are merged in with <<, too.
func (v *value) at(key string) *value {
	child := &value{source: v.source, up: v, key: key}
	if v.is(yaml.MappingNode) {
		child.node = resolve(field(v.node, key))
	}
	return child
}

// in follows a path of fields.
func (v *value) in(path ...string) *value {
	for _, key := range path {
		v = v.at(key)
	}
	return v
}

func field(mapping *yaml.Node, key string) *yaml.Node {
	var merged *yaml.Node
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		switch name := mapping.Content[i]; {
		case name.Value == key && name.Kind == yaml.ScalarNode:
			return mapping.Content[i+1]
		case name.Value == "<<" && name.ShortTag() == "!!merge":
			merged = mapping.Content[i+1]
		}
	}
	return mergedField(merged, key)
}

func mergedField(merged *yaml.Node, key string) *yaml.Node {
	merged = resolve(merged)
	if merged == nil {
		return nil
	}
	from := []*yaml.Node{merged}
	if merged.Kind == yaml.SequenceNode {
		from = merged.Content
	}
	for _, m := range from {
		if m = resolve(m); m != nil && m.Kind == yaml.MappingNode {
			if found := field(m, key); found != nil {
				return found
			}
		}
	}
	return nil
}

// items returns the entries of a list.
func (v *value) items() []value {
	if !v.is(yaml.SequenceNode) {
		return nil
	}
	all := make([]value, len(v.node.Content))
	for i, n := range v.node.Content {
		all[i] = value{node: resolve(n), source: v.source, up: v, index: i}
	}
	return all
}

// fields calls a function for each field of a mapping.
func (v *value) fields(each func(key string, field *value)) {
	if !v.is(yaml.MappingNode) {
		return
	}
	for i := 0; i+1 < len(v.node.Content); i += 2 {
		name, n := v.node.Content[i], v.node.Content[i+1]
		if name.Kind == yaml.ScalarNode && name.ShortTag() == "!!merge" {
			for _, from := range (&value{node: listed(n), source: v.source, up: v.up, key: v.key, index: v.index}).items() {
				from.up, from.key, from.index = v.up, v.key, v.index
				from.fields(each)
			}
			continue
		}
		child := value{node: resolve(n), source: v.source, up: v, key: name.Value}
		each(name.Value, &child)
	}
}

// listed makes a list of what may be one or several.
func listed(n *yaml.Node) *yaml.Node {
	if n = resolve(n); n != nil && n.Kind != yaml.SequenceNode {
		return &yaml.Node{Kind: yaml.SequenceNode, Content: []*yaml.Node{n}, Line: n.Line, Column: n.Column}
	}
	return n
}

// text returns a single value, "" where there is none.
func (v *value) text() string {
	if !v.is(yaml.ScalarNode) {
		return ""
	}
	return v.node.Value
}

// number returns a whole number from 0 on, and otherwise where there is none.
func (v *value) number(otherwise int) int {
	if !v.there() || !v.is(yaml.ScalarNode) {
		return otherwise
	}
	n, err := strconv.ParseInt(v.node.Value, 10, 32)
	if err != nil || n < 0 {
		v.wrong("%s is not a whole number from 0 to %d", show.Quote(v.node.Value), 1<<31-1)
		return otherwise
	}
	return int(n)
}

func (v *value) truth() bool {
	text := v.text()
	if v.there() && text != "true" && text != "false" {
		v.wrong("%s is neither true nor false", show.Quote(text))
	}
	return text == "true"
}

// texts returns a list of single values.
func (v *value) texts() []string {
	var all []string
	for _, item := range v.items() {
		all = append(all, item.text())
	}
	return all
}

// textMap returns a mapping of single values, nil where there is none.
func (v *value) textMap() map[string]string {
	if !v.there() {
		return nil
	}
	all := map[string]string{}
	v.fields(func(key string, field *value) { all[key] = field.text() })
	return all
}

// documents reads the documents of a file one by one. What is no YAML ends it.
func (s *source) documents(text []byte, each func(root *value)) {
	if len(text) > MaxBytes {
		s.whole(diag.Error, "the file has %d bytes and the limit is %d", len(text), MaxBytes)
		return
	}
	if n := countValues(text); n > MaxValues {
		s.whole(diag.Error, "the file may hold %d values, and the limit is %d", n, MaxValues)
		return
	}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	for {
		s.document++
		s.element = ""
		var root yaml.Node
		err := decoder.Decode(&root)
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			s.syntax(text, err)
			return
		}
		if len(root.Content) != 1 {
			continue
		}
		if !(&checker{source: s}).check(root.Content[0]) {
			continue
		}
		if n := resolve(root.Content[0]); n != nil {
			each(&value{node: n, source: s})
		}
	}
}

// countValues is not less than how many values a text has.
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

var syntaxLine = regexp.MustCompile(`^yaml: (?:line (\d+): )?(.*)$`)

// syntax tells what is no YAML, at the line that the library names.
func (s *source) syntax(text []byte, err error) {
	match := syntaxLine.FindStringSubmatch(strings.ReplaceAll(err.Error(), "\n", " "))
	line, message := 1, err.Error()
	if match != nil {
		message = match[2]
		if match[1] != "" {
			line, _ = strconv.Atoi(match[1])
		}
	}
	column := 1
	for _, n := range []int{line, line + 1} { // the library counts from 0 now and then
		if at := tabIn(lineOf(text, n)); at > 0 {
			line, column, message = n, at, "a tab in the indentation: YAML is indented with spaces"
			break
		}
	}
	s.add(diag.Error, line, column, "", "this is not YAML: "+show.Text(message))
}

func lineOf(text []byte, n int) []byte {
	for ; n > 1; n-- {
		_, rest, found := bytes.Cut(text, []byte("\n"))
		if !found {
			return nil
		}
		text = rest
	}
	line, _, _ := bytes.Cut(text, []byte("\n"))
	return line
}

// tabIn returns the column of a tab before the first other character.
func tabIn(line []byte) int {
	for i, c := range line {
		switch c {
		case '\t':
			return i + 1
		case ' ', '-':
		default:
			return 0
		}
	}
	return 0
}

// checker looks at a whole document before anything is made of it: names that
// stand twice, depth, and what aliases amount to.
type checker struct {
	source  *source
	sizes   map[*yaml.Node]int // of anchored values with all that they stand for; -1 while they are counted
	aliased int
	failed  bool
}

func (c *checker) check(n *yaml.Node) bool {
	c.size(n, 0)
	return !c.failed
}

func (c *checker) fail(n *yaml.Node, format string, args ...any) int {
	c.failed = true
	c.source.add(diag.Error, n.Line, n.Column, "", fmt.Sprintf(format, args...))
	return 0
}

func (c *checker) size(n *yaml.Node, depth int) int {
	switch {
	case c.failed && depth > 0:
		return 0
	case depth > MaxDepth:
		return c.fail(n, "values are nested more than %d deep, which is the limit", MaxDepth)
	case n.Kind == yaml.AliasNode:
		return c.alias(n, depth)
	}
	if size, known := c.sizes[n]; known && size > 0 {
		return size
	}
	if n.Anchor != "" {
		if c.sizes == nil {
			c.sizes = map[*yaml.Node]int{}
		}
		c.sizes[n] = -1
	}
	if n.Kind == yaml.MappingNode {
		c.keys(n)
	}
	size := 1
	for _, child := range n.Content {
		size = min(size+c.size(child, depth+1), 2*MaxAliased)
	}
	if n.Anchor != "" {
		c.sizes[n] = size
	}
	return size
}

func (c *checker) alias(n *yaml.Node, depth int) int {
	if c.sizes[n.Alias] < 0 {
		return c.fail(n, "the alias *%s stands within what it stands for", show.Text(n.Value))
	}
	size := c.size(n.Alias, depth+1)
	if c.aliased += size; c.aliased > MaxAliased {
		return c.fail(n, "the aliases stand for more than %d values, which is the limit", MaxAliased)
	}
	return size
}

// keys refuses a mapping with a key that is no single value, or twice.
func (c *checker) keys(n *yaml.Node) {
	var seen map[string]int
	if len(n.Content) > 32 {
		seen = make(map[string]int, len(n.Content)/2)
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if key.Kind != yaml.ScalarNode {
			c.fail(key, "the key of a mapping is %s: expected a single value", kindNames[key.Kind])
			return
		}
		if line := keyBefore(n, i, seen); line > 0 {
			c.fail(key, "the key %s stands twice in one mapping, first in line %d", show.Quote(key.Value), line)
			return
		}
	}
}

// keyBefore returns the line where a key of a mapping stands already, 0 if it
// does not. A long mapping comes with what was seen of it.
func keyBefore(n *yaml.Node, i int, seen map[string]int) (line int) {
	name := n.Content[i].Value
	if seen != nil {
		line = seen[name]
		seen[name] = n.Content[i].Line
		return line
	}
	for k := 0; k < i; k += 2 {
		if n.Content[k].Value == name {
			return n.Content[k].Line
		}
	}
	return 0
}
