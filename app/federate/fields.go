package federate

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/chart"
	"berth/app/lab"
	"berth/engine/federate"
	"berth/engine/federate/federatekind"
	"berth/engine/workload"
)

// field is a control for one value of the inputs. What is refused stands below
// it until another value is given.
type field struct {
	id, label   string
	path        string // in the document, by which the engine names it; "" if there is none
	placeholder string // what an empty field stands for
	text        func(in inputs) string
	set         lab.Setter[inputs]
}

// number is a field for a figure; text is a field for anything else.
func (v *View) number(f field) app.UI {
	return v.control(f, lab.NumberInput(f.placeholder))
}

func (v *View) line(f field) app.UI {
	return v.control(f, app.Input().Type("text").Spellcheck(false).
		Attr("autocomplete", "off").Placeholder(f.placeholder))
}

func (v *View) control(f field, input app.HTMLInput) app.UI {
	return v.Field(f.id, f.label, input.DataSet("testid", f.id), f.text(v.Inputs), f.set)
}

// fields are all fields that may hold a wrong value, by their id.
func (v *View) fields() []field {
	all := append(centreFields(), timeFields()...)
	all = append(all, costFields()...)
	all = append(all, peerFields()...)
	all = append(all, repeatFields()...)
	return append(append(all, capacityFields()...), sharesField())
}

// whole is a setter for a whole number from least on.
func whole(least int, set func(in *inputs, n int)) lab.Setter[inputs] {
	return func(in *inputs, text string) error {
		n, err := lab.ParseWhole(text, least, math.MaxInt)
		if err == nil {
			set(in, n)
		}
		return err
	}
}

// optional is a field for a quantity that has a default: an empty text is that.
// Unit is how many of the document's units it counts in: a field in ms has
// 0.001.
func optional(id, label, path, placeholder string, unit float64, positive bool, at func(d *federatekind.Document) **float64) field {
	return field{
		id: id, label: label, path: path, placeholder: placeholder,
		text: func(in inputs) string {
			if value := *at(&in.options); value != nil {
				return lab.Figure(*value / unit)
			}
			return ""
		},
		set: func(in *inputs, text string) error {
			if text == "" {
				*at(&in.options) = nil
				return nil
			}
			x, err := amount(text)
			if err == nil && positive && x == 0 {
				err = errors.New("0 is too little: expected more")
			}
			if err != nil {
				return err
			}
			x *= unit
			*at(&in.options) = &x
			return nil
		},
	}
}

// amount reads a number of 0 or more.
func amount(text string) (float64, error) { return lab.ParseNumber(text, 0, math.MaxFloat64) }

func centreFields() []field {
	count := func(id, label, path string, at func(d *federatekind.Document) *int) field {
		return field{id: id, label: label, path: path,
			text: func(in inputs) string { return strconv.Itoa(*at(&in.options)) },
			set:  whole(1, func(in *inputs, n int) { *at(&in.options) = n })}
	}
	return []field{
		count("fed-workers", "Workers", "workers", func(d *federatekind.Document) *int { return &d.Workers }),
		count("fed-gms", "GMs", "gms", func(d *federatekind.Document) *int { return &d.GMs }),
		count("fed-lms", "LMs", "lms", func(d *federatekind.Document) *int { return &d.LMs }),
	}
}

// capacityFields have what each worker has, of every resource that a trace may
// ask for.
func capacityFields() []field {
	capacity := func(resource, label, usual string) field {
		return field{
			id: "fed-capacity-" + resource, label: label, path: "capacity." + resource, placeholder: usual,
			text: func(in inputs) string {
				if units, given := in.options.Capacity[resource]; given {
					return lab.Figure(units)
				}
				return ""
			},
			set: func(in *inputs, text string) error {
				if text == "" {
					delete(in.options.Capacity, resource)
					return nil
				}
				x, err := amount(text)
				if err != nil {
					return err
				}
				if in.options.Capacity == nil {
					in.options.Capacity = map[string]float64{}
				}
				in.options.Capacity[resource] = x
				return nil
			},
		}
	}
	return []field{capacity(workload.SlotResource, "Slots", "1"), capacity("cpu", "Cores", "64"), capacity("memory", "Memory, GB", "16")}
}

func sharesField() field {
	return field{
		id: "fed-shares", label: "Shares of the users", path: "shares", placeholder: "equal, without preemption",
		text: func(in inputs) string { return figures(in.options.Shares) },
		set: func(in *inputs, text string) (err error) {
			in.options.Shares, err = parseFigures(text)
			if err != nil || in.options.Shares == nil {
				return err
			}
			sum := 0.0
			for _, share := range in.options.Shares {
				sum += share
			}
			if math.Abs(sum-1) > 1e-9 {
				return fmt.Errorf("they sum to %s: expected 1, such as 0.1, 0.25, 0.15, 0.5", lab.Figure(math.Round(sum*1e9)/1e9))
			}
			return nil
		},
	}
}

func figures(list []float64) string {
	texts := make([]string, len(list))
	for i, x := range list {
		texts[i] = lab.Figure(x)
	}
	return strings.Join(texts, ", ")
}

// parseFigures reads numbers with commas or spaces between them; nothing gives
// nil.
func parseFigures(text string) ([]float64, error) {
	var list []float64
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' || r == ';' }) {
		x, err := amount(word)
		if err != nil {
			return nil, err
		}
		list = append(list, x)
	}
	return list, nil
}

func timeFields() []field {
	return []field{
		optional("fed-heartbeat", "Heartbeat, s", "heartbeat", "10", 1, true, func(d *federatekind.Document) **float64 { return &d.Heartbeat }),
		optional("fed-delay", "Message delay, ms", "delay", "0.5", 1e-3, true, func(d *federatekind.Document) **float64 { return &d.Delay }),
		optional("fed-launch-delay", "Launch delay, ms", "launchDelay", "as the preset", 1e-3, true, func(d *federatekind.Document) **float64 { return &d.LaunchDelay }),
		{
			id: "fed-interference", label: "Interference factor", path: "interference",
			text: func(in inputs) string { return lab.Figure(in.options.Interference) },
			set: func(in *inputs, text string) (err error) {
				in.options.Interference, err = amount(text)
				return err
			},
		},
		optional("fed-load", "Arrivals, times as fast", "load", "1", 1, true, func(d *federatekind.Document) **float64 { return &d.Load }),
	}
}

func costFields() []field {
	cost := func(id, label, path, usual string, unit float64, at func(c *federatekind.Costs) **float64) field {
		return field{
			id: "fed-cost-" + id, label: label, path: "costs." + path, placeholder: usual,
			text: func(in inputs) string {
				if in.options.Costs == nil || *at(in.options.Costs) == nil {
					return ""
				}
				return lab.Figure(**at(in.options.Costs) / unit)
			},
			set: func(in *inputs, text string) error {
				var costs federatekind.Costs
				if in.options.Costs != nil {
					costs = *in.options.Costs
				}
				*at(&costs) = nil
				if text != "" {
					x, err := amount(text)
					if err != nil {
						return err
					}
					x *= unit
					*at(&costs) = &x
				}
				if in.options.Costs = &costs; costs == (federatekind.Costs{}) {
					in.options.Costs = nil
				}
				return nil
			},
		}
	}
	return []field{
		cost("take", "GM takes a task, µs", "take", "50", 1e-6, func(c *federatekind.Costs) **float64 { return &c.Take }),
		cost("word", "64 workers ANDed, ns", "word", "10", 1e-9, func(c *federatekind.Costs) **float64 { return &c.Word }),
		cost("look", "Worker looked at, ns", "look", "20", 1e-9, func(c *federatekind.Costs) **float64 { return &c.Look }),
		cost("adopt", "Worker adopted, ns", "adopt", "100", 1e-9, func(c *federatekind.Costs) **float64 { return &c.Adopt }),
		cost("verify", "LM verifies, µs", "verify", "50", 1e-6, func(c *federatekind.Costs) **float64 { return &c.Verify }),
	}
}

func repeatFields() []field {
	return []field{
		{
			id: "fed-seed", label: "First seed", path: "seed",
			text: func(in inputs) string { return strconv.FormatUint(in.options.Seed, 10) },
			set:  func(in *inputs, text string) error { return lab.SetSeed(&in.options.Seed, text) },
		},
		{
			id: "fed-seeds", label: "Seeds", path: "seeds",
			text: func(in inputs) string { return strconv.Itoa(max(in.options.Seeds, 1)) },
			set:  whole(1, func(in *inputs, n int) { in.options.Seeds = n }),
		},
	}
}

// schedulerNames are the schedulers of the engine in its order.
func schedulerNames() []string { return federate.Names() }

// styleOf is the look of a scheduler: that of its place among all.
func styleOf(name string) chart.Style { return chart.StyleAt(slices.Index(schedulerNames(), name)) }

func (v *View) schedulerBoxes() app.UI {
	boxes := make([]app.UI, 0, len(schedulerNames()))
	for _, name := range schedulerNames() {
		plugin, _ := federate.Lookup(name)
		boxes = append(boxes, app.Div().Class("scheduler").Title(plugin.Description).Body(
			app.Span().Class("swatch").Style("background", styleOf(name).Color()),
			v.Checkbox("fed-scheduler-"+name, name, has(v.Inputs.options.Schedulers, name),
				func(in *inputs, on bool) { in.setScheduler(name, on) }),
		))
	}
	return app.Div().Class("schedulers").Role("group").Aria("label", "Schedulers").Body(boxes...)
}

func has(list []string, name string) bool { return slices.Contains(list, name) }
