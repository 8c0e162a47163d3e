package parameter

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"berth/engine/show"
)

// Parameter is a field of a document that users set: a number, a switch or a choice. In documents
// and as a float64, a time is in seconds whatever the Unit, a switch is 1 or 0, and a choice is its
// index (in documents, its name).
type Parameter struct {
	// Name is unique among the parameters of a document; see [Parameter.Flag].
	Name  string
	Path  string // JSON path in the document; "" means Name
	Group string // heading under which it is shown
	Title string // label of its field
	Help  string // help of its flag, with a placeholder for the value in backquotes
	Hint  string // hint at its field; may be empty
	Unit  string // unit that people use; "" for a pure number

	Low, High float64 // in the unit of the document; High may be +Inf
	Above     bool    // Low is exclusive
	Zero      string  // why a document must not have 0 although 0 is in bounds; "" if it may
	OrZero    bool    // 0 is allowed although it is out of bounds
	Whole     bool

	Default  float64 // in the unit of the document
	Usual    string  // the default in words, if it depends on other parameters
	Word     string  // word for the default on the command line: "mean"
	Required bool    // it has no default

	Switch  bool     // true or false in the document
	Choices []Choice // the document has one of these names; the first is the default
}

// Choice is a named value of a parameter. A form shows the title, or the name if the title is
// empty.
type Choice struct{ Name, Title string }

// Number reports whether the parameter is a number.
func (p *Parameter) Number() bool { return !p.Switch && p.Choices == nil }

// Choose returns choices without titles, so that forms show their names.
func Choose(names ...string) []Choice {
	all := make([]Choice, len(names))
	for i, name := range names {
		all[i].Name = name
	}
	return all
}

// Names returns the names of the choices.
func (p *Parameter) Names() []string {
	names := make([]string, len(p.Choices))
	for i, c := range p.Choices {
		names[i] = c.Name
	}
	return names
}

// Values maps names of parameters to values in the unit of the document.
type Values map[string]float64

// Percent is the unit of a fraction. Documents and flags have a fraction as a number up to 1.
const Percent = "%"

// inSecond maps units of time to their number in a second.
var inSecond = map[string]float64{"s": 1, "ms": 1e3, "µs": 1e6, "ns": 1e9}

// Time reports whether the parameter is a time.
func (p *Parameter) Time() bool { return inSecond[p.Unit] != 0 }

// Scale returns the factor from the unit of the document to Unit.
func (p *Parameter) Scale() float64 {
	if p.Unit == Percent {
		return 100
	}
	return cmp.Or(inSecond[p.Unit], 1)
}

// Flag returns the name for flags and forms: launchDelay becomes launch-delay.
func (p *Parameter) Flag() string {
	var b strings.Builder
	for _, r := range p.Name {
		switch {
		case r == '.':
			b.WriteByte('-')
		case r >= 'A' && r <= 'Z':
			b.WriteByte('-')
			r += 'a' - 'A'
			fallthrough
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// In returns the title with a unit: "Heartbeat, s".
func (p *Parameter) In(unit string) string {
	if unit == "" {
		return p.Title
	}
	return p.Title + ", " + unit
}

// Hinted returns the title with the hint: "users, 0 for none".
func (p *Parameter) Hinted() string {
	if p.Hint == "" {
		return p.Title
	}
	return p.Title + ", " + p.Hint
}

// DocumentUnit returns the unit of the value in the document.
func (p *Parameter) DocumentUnit() string {
	switch {
	case p.Time():
		return "s"
	case p.Unit == Percent:
		return ""
	}
	return p.Unit
}

// Expected describes the valid values in a document: "1 to 100".
func (p *Parameter) Expected() string {
	switch {
	case p.Switch:
		return "true or false"
	case p.Choices != nil:
		return strings.Join(p.Names(), ", ")
	}
	return p.expected(1, p.DocumentUnit())
}

// Range describes the bounds without a unit: "a whole number from 1 to 100".
func (p *Parameter) Range() string {
	what := "a number"
	if p.Whole {
		what = "a whole number"
	}
	return fmt.Sprintf("%s from %s to %s", what, show.Number(p.Low), show.Number(p.High))
}

// expected is Expected in a unit; scale is the factor from the unit of the document.
func (p *Parameter) expected(scale float64, unit string) string {
	low, high := show.Number(p.Low*scale), show.Number(p.High*scale)
	var text string
	switch {
	case math.IsInf(p.High, 1):
		text = "at least " + low
	case p.Above:
		text = fmt.Sprintf("more than %s, at most %s", low, high)
	default:
		text = fmt.Sprintf("%s to %s", low, high)
		if !p.Whole && unit == "" {
			text = "a number from " + text
		}
	}
	text = withUnit(text, unit)
	if p.OrZero {
		text += ", or 0"
	}
	return text
}

func withUnit(text, unit string) string { return strings.TrimSpace(text + " " + unit) }

// largest limits whole numbers: up to it, a float64 represents every whole number.
const largest = 1 << 53

// Bounds returns an error for a value of a document that is out of bounds.
func (p *Parameter) Bounds(x float64) error { return p.bounds(x, 1, p.DocumentUnit()) }

// bounds is Bounds in a unit; see expected.
func (p *Parameter) bounds(x, scale float64, unit string) error {
	switch {
	case x == 0 && p.OrZero:
	case !(x >= p.Low && x <= p.High) || p.Above && x == p.Low || p.Whole && x > largest:
		text := fmt.Sprint(x * scale)
		if p.Whole {
			text = strconv.FormatFloat(x*scale, 'f', -1, 64)
		}
		return fmt.Errorf("%s is out of range: expected %s", withUnit(text, unit), p.expected(scale, unit))
	case p.Whole && x != math.Trunc(x):
		return fmt.Errorf("%v is not whole: expected %s", x*scale, p.expected(scale, unit))
	}
	return nil
}

// Check returns an error for a value that a document must not have: one out of bounds, or a 0 that
// Zero forbids.
func (p *Parameter) Check(x float64) error { return p.check(x, 1, p.DocumentUnit()) }

func (p *Parameter) check(x, scale float64, unit string) error {
	if !p.Number() {
		return nil
	}
	if err := p.bounds(x, scale, unit); err != nil {
		return err
	}
	if x == 0 && p.Zero != "" {
		return errors.New(p.Zero)
	}
	return nil
}

// Text formats a value of the document in Unit, without the unit.
func (p *Parameter) Text(x float64) string {
	switch {
	case p.Switch:
		return strconv.FormatBool(x != 0)
	case p.Choices != nil:
		return p.Choices[int(x)].Name
	}
	return show.Number(x * p.Scale())
}

// Parse parses and checks a number that a person entered in a form, in Unit. It returns the value
// for the document.
func (p *Parameter) Parse(text string) (float64, error) {
	x, ok := show.ParseNumber(strings.TrimSpace(text))
	if !ok {
		return 0, fmt.Errorf("%q is not a number: expected %s", text, p.expected(p.Scale(), p.Unit))
	}
	if x == 0 && p.positive() {
		above := *p
		above.Above = true
		return 0, fmt.Errorf("0 is too little: expected %s", above.expected(p.Scale(), p.Unit))
	}
	x /= p.Scale()
	return x, p.check(x, p.Scale(), p.Unit)
}

// positive reports whether a document must not have 0.
func (p *Parameter) positive() bool { return p.Above || p.Zero != "" }

// ParseFlag parses a value on the command line, where a time has its unit. It rejects invalid times
// and leaves other values to the check of the document.
func (p *Parameter) ParseFlag(text string) (float64, error) {
	switch {
	case p.Switch:
		on, err := strconv.ParseBool(text)
		return map[bool]float64{true: 1}[on], err
	case p.Choices != nil:
		return float64(p.choice(text)), nil
	case p.Time():
		d, err := time.ParseDuration(text)
		if err != nil || d < 0 || d == 0 && p.positive() {
			if p.positive() {
				return 0, errors.New("expected a time above 0 such as 500us or 10s")
			}
			return 0, errors.New("expected a time such as 500us or 10s")
		}
		return float64(d) / 1e9, nil
	case p.Whole:
		n, err := strconv.ParseInt(text, 0, 64)
		if err != nil {
			return 0, errors.New("parse error") // like package flag
		}
		if n < -largest || n > largest {
			return 0, errors.New("value out of range")
		}
		return float64(n), nil
	}
	x, ok := show.ParseNumber(text)
	if !ok || math.IsNaN(x) || math.IsInf(x, 0) {
		return 0, fmt.Errorf("expected %s", p.Expected())
	}
	return x, nil
}

// FlagText formats a value of the document for a flag.
func (p *Parameter) FlagText(x float64) string {
	if p.Time() {
		return time.Duration(math.Round(x * 1e9)).String()
	}
	return show.Number(x)
}

// ParseBounded is [Parameter.ParseFlag] with a check of the bounds.
func (p *Parameter) ParseBounded(text string) (float64, error) {
	x, err := p.ParseFlag(text)
	if err != nil || p.Check(x) != nil {
		return 0, errors.New("expected " + p.expectedFlag())
	}
	return x, nil
}

func (p *Parameter) expectedFlag() string {
	text := p.Expected()
	switch {
	case p.Time():
		least, most := time.Duration(p.Low*1e9), time.Duration(p.High*1e9).Truncate(time.Hour)
		text = fmt.Sprintf("a duration from %v to %v, such as 30s or 2.4s", least, most)
		if p.OrZero {
			text += ", or 0s"
		}
	case p.Unit == Percent:
		text = "a part above 0 and up to 1, such as 0.1"
	case p.Whole:
		text = "a whole number from " + text
	}
	if p.Word != "" {
		text += ", or " + p.Word
	}
	return text
}
