package scenario

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"berth/engine/input/workload"
	"berth/engine/parameter"
	"berth/engine/show"
)

// mostChanges is the maximum number of lines about inputs.
const mostChanges = 40

// Differing is a document that can compare the texts of two sources in a slot by meaning. The
// result describes the changes; false means that it cannot compare these texts.
type Differing interface {
	TextChanges(slot string, before, after *Source) ([]string, bool)
}

// Pair is two scenarios including their texts.
type Pair struct {
	Before Scenario
	After  Scenario
}

// ChangesQuestion asks for the [Changes] of a pair. It does not read the files of the scenarios.
var ChangesQuestion = NewTool("scenario/changes", func(_ context.Context, p Pair, _ Files) ([]string, error) {
	return Changes(p.Before, p.After), nil
})

// Changes lists the changes from one scenario to another: "seed 1 → 2". It uses the
// kind's titles of parameters and the kind's comparison of texts. Otherwise it writes
// paths and counts lines.
func Changes(before, after Scenario) []string {
	if before.Body == nil || after.Body == nil || before.Kind != after.Kind {
		return []string{"the scenarios are of different kinds"}
	}
	a, b := before.Clone(), after.Clone()
	c := changes{body: after.Body, kind: &Kind{}}
	if kind, ok := Lookup(after.Kind); ok {
		c.kind = kind
	}
	sources := map[string]*Source{}
	for _, slot := range a.Slots() {
		sources[slot.Name] = slot.Source
	}
	for _, slot := range b.Slots() {
		if was := sources[slot.Name]; was != nil {
			c.source(slot.Name, was, slot.Source)
			*was = Source{Name: slot.Source.Name} // excludes the source, which has been compared, from the comparison of the trees
			*slot.Source = *was
		}
	}
	c.tree(position{}, tree(a.Body), tree(b.Body))
	if more := len(c.lines) - mostChanges; more > 0 {
		c.lines = append(c.lines[:mostChanges], "and "+show.Count(more, "more change"))
	}
	for i := range c.lines {
		c.lines[i] = show.Text(c.lines[i])
	}
	return c.lines
}

// changes collects the changes between two documents.
type changes struct {
	body  Document // the later document
	kind  *Kind
	lines []string
}

func (c *changes) add(format string, values ...any) {
	c.lines = append(c.lines, fmt.Sprintf(format, values...))
}

// source compares the sources in a slot.
func (c *changes) source(slot string, before, after *Source) {
	what := slotWords(slot)
	if before.Recipe != nil && after.Recipe != nil && c.recipe(what, before.Recipe, after.Recipe) {
		return
	}
	if x, y := origin(before), origin(after); x != y {
		c.add("%s: %s → %s", what, x, y)
	}
	switch {
	case before.Text != "" && after.Text != "":
		if before.Text != after.Text {
			lines, compared := []string(nil), false
			if d, ok := c.body.(Differing); ok {
				lines, compared = d.TextChanges(slot, before, after)
			}
			if !compared {
				lines = lineChanges(after.Name, before.Text, after.Text)
			}
			c.lines = append(c.lines, lines...)
		}
	case before.SHA256 != after.SHA256 && before.Beside() && after.Beside() && before.Name == after.Name:
		c.add("%s: different content of %s", what, after.Name)
	}
}

// slotWords returns the display name of a slot: "deployment 2" for deployments/1.
func slotWords(slot string) string {
	list, index, found := strings.Cut(slot, "/")
	if i, err := strconv.Atoi(index); found && err == nil {
		return fmt.Sprintf("%s %d", strings.TrimSuffix(list, "s"), i+1)
	}
	return strings.ReplaceAll(slot, "-", " ")
}

func origin(s *Source) string {
	if s.Recipe != nil {
		return s.Name + " (generated)"
	}
	return s.Name
}

// recipe compares two recipes of the same generator. It returns false if the generators differ or
// the document does not describe their parameters.
func (c *changes) recipe(what string, before, after *workload.Recipe) bool {
	if c.kind.Recipe == nil || before.Generator != after.Generator {
		return false
	}
	rows, was, err := c.kind.Recipe(*before)
	if err != nil {
		return false
	}
	_, is, err := c.kind.Recipe(*after)
	if err != nil {
		return false
	}
	if before.Preset != after.Preset {
		c.add("%s: preset %s → %s", what, before.Preset, after.Preset)
	}
	if before.Index != after.Index {
		c.add("%s: %s %d → %d", what, workload.IndexTitle, before.Index, after.Index)
	}
	for _, p := range rows {
		x := was[p.Name]
		y, both := is[p.Name]
		if !both || x == y {
			continue
		}
		title := p.Title
		if !strings.HasPrefix(title, what) {
			title = what + ": " + title
		}
		c.add("%s %s → %s", title, exact(x), withUnit(exact(y), p.Unit))
	}
	if before.Seed != after.Seed {
		c.add("%s: seed %d → %d", what, before.Seed, after.Seed)
	}
	return true
}

// lineChanges counts the lines that only one of two texts has. It shows a single changed line.
func lineChanges(name, before, after string) []string {
	count := map[string]int{}
	was, is := strings.Split(before, "\n"), strings.Split(after, "\n")
	for _, line := range was {
		count[line]++
	}
	var added, gone []string
	for _, line := range is {
		count[line]--
		if count[line] < 0 {
			added = append(added, line)
		}
	}
	for _, line := range was {
		if count[line] > 0 {
			count[line]--
			gone = append(gone, line)
		}
	}
	switch {
	case len(added) == 1 && len(gone) == 1:
		return []string{fmt.Sprintf("%s: line %s → %s", name, show.Quote(gone[0]), show.Quote(added[0]))}
	case len(added)+len(gone) == 0:
		return []string{name + ": the same lines in a different order"}
	}
	return []string{fmt.Sprintf("%s: %s removed, %d added", name, show.Count(len(gone), "line"), len(added))}
}

func tree(d Document) any {
	data, err := json.Marshal(d)
	if err != nil {
		return nil
	}
	var t any
	_ = newReader(data).Decode(&t) // it was just encoded
	return t
}

// position is the position of a value in a document, or in an element of a list.
type position struct {
	list    string // path of the enclosing list; "" outside of a list
	element string // name of the enclosing element
	called  string // display name of the enclosing element
	path    string // path within the element
	words   string // description of the whole position
}

func (p position) under(key string) position {
	p.path = strings.TrimPrefix(p.path+"."+key, ".")
	p.words = strings.TrimSpace(p.words + " " + keyWords(key))
	return p
}

// in returns the position of the element i of the list at p.
func (p position) in(i int, before, after any) position {
	was, is := named(before), named(after)
	word := strconv.Itoa(i + 1)
	if was == is {
		word = cmp.Or(is, word)
	}
	return position{list: p.path, element: name(after), called: word, words: strings.TrimSpace(p.words + " " + word)}
}

func name(x any) string {
	text, _ := x.(map[string]any)["name"].(string)
	return text
}

// named returns the label of an element or, if there is none, its name.
func named(x any) string {
	label, _ := x.(map[string]any)["label"].(string)
	return cmp.Or(label, name(x))
}

// newWord is the place in a JSON key where a word begins.
var newWord = regexp.MustCompile(`\p{Ll}\p{Lu}`)

// keyWords splits a JSON key into words: "shortest paths" for shortestPaths.
func keyWords(key string) string {
	return newWord.ReplaceAllStringFunc(key, func(at string) string {
		_, size := utf8.DecodeRuneInString(at)
		return at[:size] + " " + strings.ToLower(at[size:])
	})
}

// tree adds the differences between two values. It compares objects field by field. If an object
// without a name was added or removed, it lists the fields of the object.
func (c *changes) tree(at position, before, after any) {
	x, first := before.(map[string]any)
	y, second := after.(map[string]any)
	if first && second || first && after == nil && name(before) == "" || second && before == nil && name(after) == "" {
		keys := map[string]any{}
		maps.Copy(keys, x)
		maps.Copy(keys, y)
		for _, key := range slices.Sorted(maps.Keys(keys)) {
			c.tree(at.under(key), x[key], y[key])
		}
		return
	}
	a, b := objects(before), objects(after)
	if len(a) > 0 && len(a) == len(b) {
		for i := range a {
			c.tree(at.in(i, a[i], b[i]), a[i], b[i])
		}
		return
	}
	c.value(at, before, after)
}

// objects returns a list that has only objects; otherwise nil.
func objects(x any) []any {
	list, _ := x.([]any)
	if slices.ContainsFunc(list, func(x any) bool { _, ok := x.(map[string]any); return !ok }) {
		return nil
	}
	return list
}

// value adds a line about a value, unless its description is the same before and after.
func (c *changes) value(at position, before, after any) {
	x, y := word(before, after), word(after, before)
	if x == y {
		return
	}
	if p := c.kind.ParameterAt(at.list, at.element, at.path); p != nil && p.Number() {
		c.parameter(at, p, before, after)
		return
	}
	c.add("%s %s → %s", at.words, x, y)
}

// parameter adds a changed parameter, with its title and unit.
func (c *changes) parameter(at position, p *parameter.Parameter, before, after any) {
	title := cmp.Or(inSentence(p.Title), keyWords(p.Name))
	if at.list != "" {
		title = at.called + ": " + title
	}
	was, wasWords := written(p, before)
	is, isWords := written(p, after)
	if isWords {
		was = withUnit(was, p.Unit)
	} else {
		is = withUnit(is, p.Unit)
	}
	if isWords || wasWords {
		title += ":"
	}
	c.add("%s %s → %s", title, was, is)
}

// written returns the value of a parameter without its unit. words reports whether the value is
// missing and the text describes its default.
func written(p *parameter.Parameter, value any) (text string, words bool) {
	x, given := number(value)
	switch {
	case given:
		return exact(x * p.Scale()), false
	case p.Usual != "":
		return p.Usual, true
	}
	return exact(p.Default * p.Scale()), false
}

func number(x any) (value float64, ok bool) {
	text, _ := x.(json.Number)
	value, err := text.Float64()
	return value, err == nil
}

// exact writes a number with all digits, in groups of thousands.
func exact(x float64) string {
	return withMinus(x, func(x float64) string { return show.Group(show.Number(x)) })
}

func withUnit(text, unit string) string {
	if unit == "" {
		return text
	}
	return text + "\u202f" + unit
}

// inSentence returns a title in lower case, except an abbreviation.
func inSentence(title string) string {
	first, size := utf8.DecodeRuneInString(title)
	second, _ := utf8.DecodeRuneInString(title[size:])
	if !unicode.IsLower(second) {
		return title
	}
	return string(unicode.ToLower(first)) + title[size:]
}

// word returns a short form of a value. other is the value that it is compared with.
func word(x, other any) string {
	switch x := x.(type) {
	case nil:
		switch other.(type) {
		case bool:
			return "no"
		case map[string]any, []any:
			return "none"
		}
		return "default"
	case bool:
		if x {
			return "yes"
		}
		return "no"
	case map[string]any:
		if name := named(x); name != "" {
			return name
		}
	case []any:
		return show.Joined(x, ", ", func(y any) string { return word(y, nil) })
	case string:
		return x
	}
	data, _ := json.Marshal(x)
	return string(data)
}
