package qos

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/qos"
	"berth/engine/qos/qoskind"
	"berth/engine/show"
)

// classes are those of the document, or the ones that it stands for without any.
func (in *inputs) classes() []qoskind.Class {
	if len(in.options.Classes) > 0 {
		return ranked(in.options.Classes)
	}
	classes := qoskind.PaperClasses(0)
	for i := range classes {
		classes[i].Margin, classes[i].Limit = nil, nil
	}
	return classes
}

// ranked gives classes without an importance their place in the table.
func ranked(classes []qoskind.Class) []qoskind.Class {
	all := slices.Clone(classes)
	for i := range all {
		all[i].Importance = cmp.Or(all[i].Importance, i+1)
	}
	return all
}

// classColumn is a column of the table of classes: the text of its fields, and
// what a text changes.
type classColumn struct {
	name, title string
	unset       func(in *inputs, c *qoskind.Class) string // what stands in an empty field
	text        func(c *qoskind.Class) string
	set         func(c *qoskind.Class, text string) error
	dial        float64 // the largest value of the column as a dial; 0 for none (SLOs are dials already)
}

func optionalText(x *float64) string {
	if x == nil {
		return ""
	}
	return show.Number(*x)
}

func none(*inputs, *qoskind.Class) string { return "" }

var classColumns = []classColumn{
	{"name", "Name of the class, as in the workload", none,
		func(c *qoskind.Class) string { return c.Name }, setClassName, 0},
	{"SLO", "Availability promised, from 0.01 to 1", none,
		func(c *qoskind.Class) string { return show.Number(c.SLO) },
		func(c *qoskind.Class, text string) (err error) {
			c.SLO, err = lab.ParseNumber(text, 0.01, 1)
			return err
		}, 0},
	{"rank", "Importance; 1 is the most important", none,
		func(c *qoskind.Class) string { return strconv.Itoa(c.Importance) },
		func(c *qoskind.Class, text string) (err error) {
			c.Importance, err = lab.ParseWhole(text, 1, qoskind.MaxClasses)
			return err
		}, qoskind.MaxClasses},
	{"φ (s)", "Safety margin of the class",
		func(in *inputs, _ *qoskind.Class) string { return show.Number(in.margin()) },
		func(c *qoskind.Class) string { return optionalText(c.Margin) },
		func(c *qoskind.Class, text string) error { return setOptional(&c.Margin, text, 0, mostSeconds) }, mostSeconds},
	{"limit", "Share of its time that an instance may lose to preemptions before it is protected; 1 − SLO if empty",
		func(_ *inputs, c *qoskind.Class) string { return ui.Number(max(0, 1-c.SLO)) },
		func(c *qoskind.Class) string { return optionalText(c.Limit) },
		func(c *qoskind.Class, text string) error { return setOptional(&c.Limit, text, 0, 1) }, 1},
	{"priorities", "Lowest and highest priority of a Google trace for this class: 9-11", none,
		prioritiesText, setPriorities, 0},
	{"bonus", "Credits for an availability below each bound, ascending: 0.95:1 0.99:0.3; as table 2 of the paper if empty",
		func(*inputs, *qoskind.Class) string { return "as table 2" }, bonusText, setBonus, 0},
}

// margin is the safety margin of classes that have none of their own, in
// seconds.
func (in *inputs) margin() float64 {
	if in.options.Margin != nil {
		return *in.options.Margin
	}
	return float64(in.preset().Margin) / 1000
}

func setClassName(c *qoskind.Class, text string) error {
	return setName(&c.Name, text, "a class needs a name")
}

func prioritiesText(c *qoskind.Class) string {
	if len(c.Priorities) != 2 {
		return ""
	}
	return fmt.Sprintf("%d-%d", c.Priorities[0], c.Priorities[1])
}

func setPriorities(c *qoskind.Class, text string) error {
	if strings.TrimSpace(text) == "" {
		c.Priorities = nil
		return nil
	}
	low, high, _ := strings.Cut(strings.ReplaceAll(text, "–", "-"), "-")
	high = cmp.Or(high, low)
	from, err := strconv.Atoi(strings.TrimSpace(low))
	to, err2 := strconv.Atoi(strings.TrimSpace(high))
	if err != nil || err2 != nil || from > to {
		return fmt.Errorf("%q is not a range of priorities such as 9-11", text)
	}
	c.Priorities = []int{from, to}
	return nil
}

func bonusText(c *qoskind.Class) string {
	return show.Joined(c.Bonus, " ", func(b qos.Bonus) string { return show.Number(b.Below) + ":" + show.Number(b.Credit) })
}

func setBonus(c *qoskind.Class, text string) error {
	var table []qos.Bonus
	for word := range strings.FieldsSeq(text) {
		bound, credit, _ := strings.Cut(word, ":")
		below, err := lab.ParseNumber(bound, 0, 1)
		if err != nil {
			return err
		}
		given, err := lab.ParseNumber(credit, 0, 1e6)
		if err != nil {
			return err
		}
		if n := len(table); n > 0 && below <= table[n-1].Below {
			return fmt.Errorf("%s: the bounds must ascend", word)
		}
		table = append(table, qos.Bonus{Below: below, Credit: given})
	}
	c.Bonus = table
	return nil
}

// classTable is the table of classes, whose cells are fields.
func (v *View) classTable() app.UI {
	head := make([]app.UI, 0, len(classColumns)+1)
	for _, c := range classColumns {
		head = append(head, app.Th().Scope("col").Title(c.title).Body(ui.Explained(c.name)...))
	}
	classes := v.Inputs.classes()
	rows := make([]app.UI, len(classes))
	for i := range classes {
		rows[i] = v.classRow(i, &classes[i], len(classes) > 1)
	}
	return app.Div().Body(
		fieldTable("qos-class-table", "Classes and SLOs", head, rows),
		v.WrongOf(classFields),
		app.Div().Class("row").Body(
			ui.Button("plus", "Add").Aria("label", "Add a class").OnClick(func(app.Context, app.Event) { v.addClass() }),
			&ui.DropZone{ID: "qos-classes-file", TestID: "qos-classes-file", Label: "Choose", Hint: "JSON, as for berth simulate --classes",
				Accept: ".json,application/json", OnFiles: func(_ app.Context, files []ui.File) { v.chooseClasses(files) }},
			ui.Button("download", "Download").Aria("label", "Download the classes as a file").DataSet("testid", "qos-classes-download").
				OnClick(func(app.Context, app.Event) { v.downloadClasses() }),
			app.If(len(v.Inputs.options.Classes) > 0, func() app.UI {
				return ui.Button("undo", "As in the paper").OnClick(func(app.Context, app.Event) {
					v.Forgive(classFields)
					v.Edit("use the paper's classes", func(in *inputs) { in.options.Classes = nil })
				})
			}),
		),
	)
}

// classFields is how the ids of the fields of the table begin.
const classFields = "qos-class-"

func classField(i, column int) string { return fmt.Sprintf("%s%d-%d", classFields, i, column) }

func (v *View) classRow(i int, class *qoskind.Class, removable bool) app.UI {
	cells := make([]app.UI, 0, len(classColumns)+1)
	for column, c := range classColumns {
		id := classField(i, column)
		label := c.name + " of class " + class.Name
		input := app.Input().Type("text").Class("column-"+strconv.Itoa(column)).Aria("label", show.Words(label)).
			Placeholder(c.unset(v.Inputs, class))
		entry := app.UI(v.Entry(id, label, input, c.text(class), classSetter(i, column)))
		if c.dial > 0 {
			name := class.Name // another table may have a class of this name
			d := lab.DialOf(id, label, c.dial == qoskind.MaxClasses, classText(name, column),
				func(in *inputs, text string) error { return classSetter(in.placeOf(name), column)(in, text) })
			d.High = c.dial
			entry = v.Pinnable(entry, d)
		}
		cells = append(cells, app.Td().Body(entry))
	}
	remove := ui.IconButton("trash", "Remove class "+class.Name).
		OnClick(func(app.Context, app.Event) { v.removeClass(i) }, app.EventScope("class", i))
	return app.Tr().Body(append(cells, app.Td().Body(ui.Disabled(remove, !removable)))...)
}

// placeOf is the row of a class, the one behind all others if there is none of that name.
func (in *inputs) placeOf(name string) int {
	classes := in.classes()
	if i := slices.IndexFunc(classes, func(c qoskind.Class) bool { return c.Name == name }); i >= 0 {
		return i
	}
	return len(classes)
}

// classText is what a cell of the table stands for, also while it is empty.
func classText(name string, column int) func(in *inputs) string {
	return func(in *inputs) string {
		c := classColumns[column]
		text, _ := lab.InRow((*inputs).classes, in.placeOf(name), func(class *qoskind.Class) string { return cmp.Or(c.text(class), c.unset(in, class)) }, nil)
		return text(in)
	}
}

// classSetter puts a text into a cell of the table.
func classSetter(i, column int) lab.Setter[*inputs] {
	return func(in *inputs, text string) error {
		classes := slices.Clone(in.classes())
		if i >= len(classes) {
			return errors.New("there is no such class any more")
		}
		if err := classColumns[column].set(&classes[i], text); err != nil {
			return err
		}
		if slices.ContainsFunc(classes[:i], sameName(classes[i])) || slices.ContainsFunc(classes[i+1:], sameName(classes[i])) {
			return fmt.Errorf("there is a class %q already", classes[i].Name)
		}
		in.renameClass(in.classes()[i].Name, classes[i].Name)
		in.options.Classes = classes
		return nil
	}
}

func sameName(c qoskind.Class) func(qoskind.Class) bool {
	return func(other qoskind.Class) bool { return other.Name == c.Name }
}

func (v *View) addClass() {
	v.Edit("add a class", func(in *inputs) {
		classes := in.classes()
		c := qoskind.Class{Name: "class " + strconv.Itoa(len(classes)+1), SLO: 0.9, Importance: len(classes) + 1}
		for n := len(classes) + 2; slices.ContainsFunc(classes, sameName(c)); n++ {
			c.Name = "class " + strconv.Itoa(n)
		}
		in.options.Classes = append(slices.Clone(classes), c)
	})
}

func (v *View) removeClass(i int) {
	v.Renumber(classFields)
	v.Edit("remove class "+v.Inputs.classes()[i].Name, func(in *inputs) {
		in.options.Classes = slices.Delete(slices.Clone(in.classes()), i, i+1)
	})
}
