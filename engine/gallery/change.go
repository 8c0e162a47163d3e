package gallery

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"berth/engine/input/workload"
	"berth/engine/parameter"
	"berth/engine/scenario"
	"berth/engine/show"
	"berth/engine/study"
)

// Number is a number of an entry that users may change to see the effect on the
// figure and its verdict.
type Number struct {
	Name  string // unique within the entry: "workers", "workload/requests"
	Title string // "Workers", "workload: requests"
	Unit  string // unit of the input; "" for a pure number
	Hint  string
	Text  string // current value in that unit; "" if Usual describes it
	Usual string

	path  []string // path in the document, to exclude numbers that factors vary
	parse func(text string) (float64, error)
	set   func(d scenario.Document, x float64) error
}

// Numbers returns the numeric parameters of the entry's kind and of its recipes. It omits seeds and
// the parameters that a factor of the experiment varies.
func (e *Entry) Numbers() (all []Number) {
	d := e.document(false)
	body := d.Base.Body
	kind, _ := scenario.Lookup(d.Base.Kind)
	for _, p := range kind.Parameters() {
		if p.Title != "" && p.Number() {
			all = append(all, ofParameter(p, body))
		}
	}
	all = append(all, ofRecipes(kind, body)...)
	return slices.DeleteFunc(all, func(n Number) bool {
		return n.Name == "seed" || n.Name == "seeds" || slices.ContainsFunc(d.Factors, func(f study.Factor) bool { return f.Varies(append([]string{d.Base.Kind}, n.path...)) })
	})
}

func ofParameter(p parameter.Parameter, body scenario.Document) Number {
	n := Number{
		Name: p.Name, Title: show.Capital(p.Title), Unit: p.Unit, Hint: p.Hint, Usual: p.Usual, path: strings.Split(p.JSONPath(), "."), parse: p.Parse,
		set: func(d scenario.Document, x float64) error { return p.Set(d, &x) },
	}
	if _, given := p.Get(body); given || p.Usual == "" {
		n.Text = p.Text(p.Value(body))
	}
	return n
}

// ofRecipes returns the parameters of all recipes. Slots with a common generator count once.
func ofRecipes(kind *scenario.Kind, body scenario.Document) (all []Number) {
	for _, slot := range body.Slots() {
		if slot.Source.Recipe == nil {
			continue
		}
		group, _, several := strings.Cut(slot.Name, "/")
		if several && slices.ContainsFunc(all, func(n Number) bool { return strings.HasPrefix(n.Name, group+"/") }) {
			continue
		}
		parameters, values, err := kind.Recipe(*slot.Source.Recipe)
		if err != nil {
			continue
		}
		for _, p := range parameters {
			all = append(all, ofRecipe(group, p, values[p.Name]))
		}
	}
	return all
}

func ofRecipe(group string, p parameter.Parameter, value float64) Number {
	typed := p
	typed.Unit = "" // a recipe has numbers in their units; documents have seconds
	return Number{
		Name: group + "/" + p.Name, Title: show.Capital(group) + ": " + p.Title, Unit: p.Unit, Hint: p.Hint, Text: show.Number(value),
		path: []string{group, "recipe", "parameters", p.Name}, parse: typed.Parse,
		set: func(d scenario.Document, x float64) error {
			for _, slot := range d.Slots() {
				if r := slot.Source.Recipe; r != nil && (slot.Name == group || strings.HasPrefix(slot.Name, group+"/")) {
					changed := *r
					if err := workload.InRecipe(p).Set(&changed, &x); err != nil {
						return err
					}
					slot.Source.Recipe = &changed
				}
			}
			return nil
		},
	}
}

// Changed returns the entry with numbers changed, given as texts by name.
func (e *Entry) Changed(texts map[string]string) (*Entry, error) {
	own, before := *e, e.document
	numbers := e.Numbers()
	var sets []func(scenario.Document) error
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		i := slices.IndexFunc(numbers, func(n Number) bool { return n.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("%s has no number %s that can be changed", e.ID, show.Quote(name))
		}
		n := &numbers[i]
		x, err := n.parse(strings.TrimSpace(texts[name]))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", n.Title, err)
		}
		sets = append(sets, func(d scenario.Document) error { return n.set(d, x) })
	}
	own.replaced = own.replaced || len(texts) > 0
	own.authors = nil // the numbers of the authors' input are fixed
	own.document = func(full bool) study.Document {
		d := before(full)
		for _, set := range sets {
			if err := set(d.Base.Body); err != nil {
				panic(err) // cannot happen: the parameter has been validated
			}
		}
		return d
	}
	s := own.Scenario(false)
	return &own, s.Validate()
}
