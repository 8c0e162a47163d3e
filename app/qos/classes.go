package qos

import (
	"cmp"
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

// classes returns the classes of the document, or the default ones if it has none.
func (in *inputs) classes() []qoskind.Class {
	if len(in.options.Classes) > 0 {
		return ranked(in.options.Classes)
	}
	classes := qoskind.PaperClasses()
	for i := range classes {
		classes[i].Limit = nil // the default limit depends on the SLO
	}
	return classes
}

// ranked returns the classes. An importance that is not set becomes the place of its class in the
// table, from 1.
func ranked(classes []qoskind.Class) []qoskind.Class {
	all := slices.Clone(classes)
	for i := range all {
		all[i].Importance = cmp.Or(all[i].Importance, i+1)
	}
	return all
}

// classFields is the prefix of the ids of the table's fields.
const classFields = "qos-class-"

func (f *fields) classRows() *lab.Rows[*inputs, qoskind.Class] {
	column := func(key, name string) lab.Column[qoskind.Class] {
		return lab.ColumnOf[qoskind.Class](key, qoskind.ClassFields, name)
	}
	margin, limit := column("3", "margin"), column("4", "limit")
	margin.Unset = func(*qoskind.Class) string { return milliseconds(f.view.Inputs.options.Times().Margin) }
	limit.Unset = func(c *qoskind.Class) string { return ui.Number(max(0, 1-c.SLO)) }
	return &lab.Rows[*inputs, qoskind.Class]{
		Lead: classFields, TestID: "qos-class-table", Caption: "Classes and SLOs", Thing: "class", Least: 1, Of: (*inputs).classes, Put: (*inputs).putClasses,
		Name: func(c *qoskind.Class) string { return c.Name }, Unique: true,
		Same: func(a, b *qoskind.Class) bool { return a.Name == b.Name },
		Columns: []lab.Column[qoskind.Class]{
			lab.TextColumn("0", "name", "Name of the class, as in the workload", "a class needs a name", func(c *qoskind.Class) *string { return &c.Name }),
			column("1", "slo").Typed(), // SLOs are already dials on the stage
			column("2", "importance"), margin, limit,
			{Key: "5", Name: "priorities", Title: "Lowest and highest priority of a Google trace for this class: 9-11", Text: prioritiesText, Set: setPriorities},
			{Key: "6", Name: "bonus", Title: "Credits for an availability below each bound, ascending: 0.95:1 0.99:0.3; as table 2 of the paper if empty",
				Unset: func(*qoskind.Class) string { return "as table 2" }, Text: bonusText, Set: setBonus},
		},
	}
}

// putClasses stores the classes after class i changed; i is −1 after a removal.
// Controllers follow a renamed class.
func (in *inputs) putClasses(all []qoskind.Class, i int) error {
	if i >= 0 {
		in.renameClass(in.classes()[i].Name, all[i].Name)
	}
	in.options.Classes = all
	return nil
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

// classTable draws the table of classes, which the user edits in place.
func (f *fields) classTable() app.UI {
	return app.Div().Body(
		f.classRows().Table(f.view.Lab, nil),
		f.view.Form.WrongOf(classFields),
		app.Div().Class("row").Body(
			ui.Button("plus", "Add").Aria("label", "Add a class").OnClick(func(app.Context, app.Event) { f.addClass() }),
			&ui.DropZone{ID: "qos-classes-file", TestID: "qos-classes-file", Label: "Choose", Hint: "JSON, as for berth simulate --classes",
				Accept: ".json,application/json", OnFiles: func(_ app.Context, files []ui.File) { f.view.Files.TakeFirst(files, maxTableFile, f.useClasses) }},
			ui.Button("download", "Download").Aria("label", "Download the classes as a file").DataSet("testid", "qos-classes-download").
				OnClick(func(app.Context, app.Event) { download(f.view, "classes", f.view.Inputs.classes()) }),
			app.If(len(f.view.Inputs.options.Classes) > 0, func() app.UI {
				return ui.Button("undo", "As in the paper").OnClick(func(app.Context, app.Event) {
					f.view.Form.Forgive(classFields)
					f.view.Edit("use the paper's classes", func(in *inputs) { in.options.Classes = nil })
				})
			}),
		),
	)
}

func (f *fields) addClass() {
	f.view.Edit("add a class", func(in *inputs) {
		classes := in.classes()
		c := qoskind.Class{Name: "class " + strconv.Itoa(len(classes)+1), SLO: 0.9, Importance: len(classes) + 1}
		for n := len(classes) + 2; slices.ContainsFunc(classes, func(other qoskind.Class) bool { return other.Name == c.Name }); n++ {
			c.Name = "class " + strconv.Itoa(n)
		}
		in.options.Classes = append(slices.Clone(classes), c)
	})
}

// maxTableFile is the maximum size of a file of classes or controllers in bytes.
const maxTableFile = 256 << 10

// useClasses replaces the classes by those in a file, or reports the file's error.
func (f *fields) useClasses(t *lab.Source) {
	classes, err := qoskind.ParseClasses(t.Name, []byte(t.Text))
	if err != nil {
		f.view.Files.Trouble = err.Error()
		return
	}
	f.view.Files.Trouble = ""
	f.view.Form.Forgive(classFields)
	f.view.Files.ChangeAndTell("choose "+t.Name, func(in *inputs) { in.options.Classes = classes }, t)
}

// takeClasses uses the files of classes among texts and returns the other texts.
func (f *fields) takeClasses(texts []*lab.Source) []*lab.Source {
	classes, others := apart(texts, func(t *lab.Source) bool { return qoskind.IsClasses(t.Text) })
	for _, t := range classes {
		f.useClasses(t)
	}
	return others
}

// download saves a table on screen as a JSON file. It omits empty fields, so that a
// program that reads the file uses its own defaults.
func download[R qoskind.Class | qoskind.Controller](v *View, name string, rows []R) {
	data, err := qoskind.EncodeRows(rows)
	if err != nil {
		v.Complain("The "+name+" could not be written", err)
		return
	}
	ui.Download(name+".json", "application/json", data)
}
