package qos

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/cluster"
	"berth/engine/qos"
	"berth/engine/qos/qoskind"
	"berth/engine/scenario"
	"berth/engine/show"
)

// controllersPart is where problems of the controllers are kept, beside those of
// the sources.
const controllersPart = "controllers"

func controllersTitle(in *inputs) string {
	if n := len(in.options.Controllers); n > 0 {
		return fmt.Sprintf("Controllers (%d)", n)
	}
	return "Controllers"
}

// controllerColumn is a column of the table of controllers: of a text field, or
// of a choice.
type controllerColumn struct {
	key, name, title string
	unset            string                                         // what stands in an empty field
	number, whole    bool                                           // may become a dial
	of               func(c *qoskind.Controller) bool               // whether a controller has it; nil: any
	text             func(c *qoskind.Controller) string             //
	set              func(c *qoskind.Controller, text string) error //
	choices          func(in *inputs) []string                      // nil of a text field
}

// only returns whether a controller is of one of the kinds.
func only(kinds ...qos.ControllerKind) func(c *qoskind.Controller) bool {
	return func(c *qoskind.Controller) bool {
		return slices.ContainsFunc(kinds, func(k qos.ControllerKind) bool { return c.Kind == k.String() })
	}
}

func service(c *qoskind.Controller) bool { return !c.Batch() }

// amount is a column of a number that is always there.
func amount(key, name, title string, low float64, of func(c *qoskind.Controller) *float64) controllerColumn {
	return controllerColumn{
		key: key, name: name, title: title, number: true,
		text: func(c *qoskind.Controller) string { return show.Number(*of(c)) },
		set: func(c *qoskind.Controller, text string) (err error) {
			*of(c), err = lab.ParseNumber(text, low, 1e9)
			return err
		},
	}
}

// whole is a column of a whole number, empty for 0.
func whole(key, name, title, unset string, most int, has func(*qoskind.Controller) bool, of func(c *qoskind.Controller) *int) controllerColumn {
	return controllerColumn{
		key: key, name: name, title: title, unset: unset, of: has, number: true, whole: true,
		text: func(c *qoskind.Controller) string { return zeroAsEmpty(float64(*of(c))) },
		set: func(c *qoskind.Controller, text string) (err error) {
			*of(c) = 0
			if strings.TrimSpace(text) != "" {
				*of(c), err = lab.ParseWhole(strings.TrimSpace(text), 1, most)
			}
			return err
		},
	}
}

// times is a column of seconds, empty for 0.
func times(key, name, title, unset string, has func(*qoskind.Controller) bool, of func(c *qoskind.Controller) *float64) controllerColumn {
	return controllerColumn{
		key: key, name: name, title: title, unset: unset, of: has, number: true,
		text: func(c *qoskind.Controller) string { return zeroAsEmpty(*of(c)) },
		set: func(c *qoskind.Controller, text string) (err error) {
			*of(c) = 0
			if strings.TrimSpace(text) != "" {
				*of(c), err = lab.ParseNumber(text, 0.001, mostSeconds)
			}
			return err
		},
	}
}

var controllerColumns = []controllerColumn{
	{key: "name", name: "name", title: "Name of the controller",
		text: func(c *qoskind.Controller) string { return c.Name },
		set: func(c *qoskind.Controller, text string) error {
			return setName(&c.Name, text, "a controller needs a name")
		}},
	{key: "kind", name: "kind", title: "Deployment: all instances at once; StatefulSet: one after the other; DaemonSet: one on each host; Job: until the number has completed; CronJob: a Job in each period",
		text: func(c *qoskind.Controller) string { return c.Kind }, set: setKind,
		choices: func(*inputs) []string { return qos.ControllerKinds() }},
	{key: "class", name: "class", title: "Service class of the instances",
		text: func(c *qoskind.Controller) string { return c.Class },
		set: func(c *qoskind.Controller, text string) error {
			c.Class = text
			return nil
		},
		choices: func(in *inputs) []string {
			var names []string
			for _, c := range in.classes() {
				names = append(names, c.Name)
			}
			return names
		}},
	{key: "instances", name: "instances", title: "How many it keeps running; for a job, how many have to complete", number: true, whole: true,
		of:   only(qos.Deployment, qos.StatefulSet, qos.Job, qos.CronJob),
		text: func(c *qoskind.Controller) string { return zeroAsEmpty(float64(c.Replicas + c.Completions)) },
		set: func(c *qoskind.Controller, text string) (err error) {
			n := &c.Replicas
			if c.Batch() {
				n = &c.Completions
			}
			*n, err = lab.ParseWhole(strings.TrimSpace(text), 1, qoskind.MaxInstances)
			return err
		}},
	amount("cpu", "CPU", "CPU of an instance", cluster.Amount(1).Units(), func(c *qoskind.Controller) *float64 { return &c.CPU }),
	amount("memory", "memory", "Memory of an instance", cluster.Amount(1).Units(), func(c *qoskind.Controller) *float64 { return &c.Memory }),
	{key: "gpus", name: "GPUs", title: "GPUs of an instance: whole devices, or below 1 a share of one", unset: "none", number: true,
		text: func(c *qoskind.Controller) string { return zeroAsEmpty(c.GPUs) }, set: setGPUs},
	{key: "measure", name: "measure", title: "Independent: the lowest availability of its instances; concurrent: time in which all run; aggregated: time in which any runs, as for jobs",
		of: service, set: func(c *qoskind.Controller, text string) error {
			c.Measure = text
			return nil
		},
		text: func(c *qoskind.Controller) string {
			switch {
			case c.Batch():
				return qos.Aggregated.String()
			case c.Measure == "":
				return qos.Independent.String()
			}
			return c.Measure
		},
		choices: func(*inputs) []string { return qoskind.Measures() }},
	times("submit", "from (s)", "When it is submitted", "0", nil, func(c *qoskind.Controller) *float64 { return &c.Submit }),
	times("duration", "for (s)", "How long an instance runs; if empty, services run to the horizon", "to the end", nil, func(c *qoskind.Controller) *float64 { return &c.Duration }),
	whole("copies", "copies", "Number of controllers like this one", "1", qoskind.MaxStarted, nil, func(c *qoskind.Controller) *int { return &c.Copies }),
	times("interval", "apart (s)", "Time from one copy to the next", "0",
		func(c *qoskind.Controller) bool { return c.Copies > 1 }, func(c *qoskind.Controller) *float64 { return &c.Interval }),
	whole("parallelism", "at once", "How many instances of a job run at once", "all", qoskind.MaxInstances, (*qoskind.Controller).Batch,
		func(c *qoskind.Controller) *int { return &c.Parallelism }),
	times("period", "every (s)", "Period of a CronJob", "", only(qos.CronJob), func(c *qoskind.Controller) *float64 { return &c.Period }),
	whole("runs", "times", "How many jobs a CronJob submits", "to the end", qoskind.MaxInstances, only(qos.CronJob), func(c *qoskind.Controller) *int { return &c.Runs }),
	{key: "constraints", name: "constraints", title: "Constraints on hosts: disk=ssd; cores>2", unset: "any host",
		text: func(c *qoskind.Controller) string { return strings.Join(c.Constraints, "; ") }, set: setConstraints},
}

// setGPUs takes a whole number, a share below 1, or nothing.
func setGPUs(c *qoskind.Controller, text string) (err error) {
	c.GPUs = 0
	if strings.TrimSpace(text) == "" {
		return nil
	}
	if c.GPUs, err = lab.ParseNumber(text, 0, cluster.MaxGPUs); err != nil {
		return err
	}
	return qoskind.CheckGPUs(c.GPUs)
}

// setKind keeps of a controller what one of the other kind has too.
func setKind(c *qoskind.Controller, kind string) error {
	instances := max(c.Replicas, c.Completions, 1)
	c.Kind, c.Replicas, c.Completions = kind, 0, 0
	switch {
	case c.Batch():
		c.Completions, c.Measure = instances, ""
		c.Duration = cmp.Or(c.Duration, 60)
	case only(qos.Deployment, qos.StatefulSet)(c):
		c.Replicas = instances
	}
	if !c.Batch() {
		c.Parallelism = 0
	}
	if !only(qos.CronJob)(c) {
		c.Period, c.Runs = 0, 0
	} else if c.Period == 0 {
		c.Period = 600
	}
	return nil
}

func setConstraints(c *qoskind.Controller, text string) error {
	c.Constraints = nil
	for part := range strings.SplitSeq(text, ";") {
		part = strings.TrimSpace(part)
		if part == "" {
			continue
		}
		if err := qoskind.CheckConstraint(part); err != nil {
			return err
		}
		c.Constraints = append(c.Constraints, part)
	}
	return nil
}

// controllerSection has the controllers in a table whose cells are fields, and as a
// file.
func (v *View) controllerSection() app.UI {
	n := len(v.Inputs.options.Controllers)
	return app.Div().Body(
		app.P().Class("hint").Text("Controllers submit instances, with or without a workload, and each has an availability as a whole. "+
			"If one is concurrent or aggregated, decisions depend on the history of all its instances, "+
			"and the run takes longer."),
		v.controllerTable(),
		v.controllerPages.Turner("controllers", n, func() { v.Forgive(controllerFields) }),
		v.WrongOf(controllerFields),
		app.Div().Body(v.controllerProblems()...),
		app.Div().Class("row source-ways").Body(
			ui.Disabled(ui.Button("plus", "Add").Aria("label", "Add a controller"), n >= qoskind.MaxControllers).
				OnClick(func(app.Context, app.Event) { v.addController() }),
			&ui.DropZone{ID: "qos-controllers-file", TestID: "qos-controllers-file", Label: "Choose", Hint: "JSON, as for berth simulate --controllers",
				Accept: ".json,.yaml,.yml,.gz,application/json", OnFiles: func(_ app.Context, files []ui.File) { v.chooseControllers(files) }},
			ui.Disabled(ui.Button("download", "Download").Aria("label", "Download the controllers as a file"), n == 0).
				OnClick(func(app.Context, app.Event) { v.downloadControllers() }),
		),
	)
}

func (v *View) controllerProblems() []app.UI {
	var all []app.UI
	for _, text := range v.Blamed[controllersPart] {
		all = append(all, ui.Problem(text))
	}
	return all
}

func (v *View) controllerTable() app.UI {
	head := make([]app.UI, 0, len(controllerColumns)+2)
	for _, c := range controllerColumns {
		head = append(head, app.Th().Scope("col").Title(c.title).Text(c.name))
	}
	head = append(head, app.Th().Scope("col").Title("No two instances on one host").Text("spread"))
	all := v.Inputs.options.Controllers
	var rows []app.UI
	from, to := v.controllerPages.Of(len(all))
	for i := from; i < to; i++ {
		rows = append(rows, v.controllerRow(i, &all[i]))
	}
	return fieldTable("qos-controllers-table", "Controllers", head, rows)
}

// fieldTable has fields in its cells, and a last column of buttons that remove rows. While it
// is empty it stays in its place: were it not there, what comes after it would move up, and
// with an element under the pointer its handlers.
func fieldTable(testID, caption string, head, rows []app.UI) app.UI {
	head = append(head, app.Th().Scope("col").Body(app.Span().Class("visually-hidden").Text("remove")))
	frame := app.Div().Class("table fields-table").TabIndex(0).Role("region").Aria("label", caption)
	if len(rows) == 0 {
		frame.Hidden(true)
	}
	return frame.Body(
		app.Table().DataSet("testid", testID).Body(
			app.Caption().Class("visually-hidden").Text(caption),
			app.THead().Body(app.Tr().Body(head...)),
			app.TBody().Body(rows...)))
}

// setName takes a name, which has to be there.
func setName(to *string, text, missing string) error {
	text = strings.TrimSpace(text)
	if text == "" {
		return errors.New(missing)
	}
	*to = text
	return nil
}

// controllerFields is how the ids of the fields of the table begin.
const controllerFields = "qos-controller-"

func controllerField(i int, key string) string {
	return fmt.Sprintf("%s%d-%s", controllerFields, i, key)
}

func (v *View) controllerRow(i int, c *qoskind.Controller) app.UI {
	cells := make([]app.UI, 0, len(controllerColumns)+2)
	for n := range controllerColumns {
		cells = append(cells, app.Td().Body(v.controllerCell(i, c, &controllerColumns[n])))
	}
	spread := controllerField(i, "spread")
	box := ui.Checkbox(spread, c.AntiAffinity, func(on bool) {
		v.Edit("change "+v.Inputs.options.Controllers[i].Name, func(in *inputs) { in.options.Controllers[i].AntiAffinity = on })
	})
	return app.Tr().Body(append(cells,
		app.Td().Body(box.Aria("label", "no two instances of "+show.Text(c.Name)+" on one host")),
		app.Td().Body(ui.IconButton("trash", "Remove controller "+c.Name).
			OnClick(func(app.Context, app.Event) { v.removeController(i) }, app.EventScope("controller", i))))...)
}

func (v *View) controllerCell(i int, c *qoskind.Controller, column *controllerColumn) app.UI {
	id, label := controllerField(i, column.key), column.name+" of controller "+c.Name
	has := column.of == nil || column.of(c)
	set := controllerSetter(i, column)
	if column.choices == nil {
		unset := column.unset
		if !has {
			unset = "–"
		}
		input := app.Input().Type("text").Class("column-"+column.key).Aria("label", show.Words(label)).Placeholder(unset).Disabled(!has)
		if column.number && has {
			text, _ := lab.InRow((*inputs).controllers, i, column.text, column.set)
			return v.NumberCell(id, label, input, column.whole, text, set)
		}
		return v.Entry(id, label, input, column.text(c), set)
	}
	now := column.text(c)
	known := column.choices(v.Inputs)
	if !slices.Contains(known, now) {
		known = append([]string{now}, known...) // a class that is gone
	}
	return ui.Select(id, now, func(text string) { v.SetOption(id, label, text, set) }, ui.Named(known)...).
		Class("inline").Aria("label", show.Words(label)).Disabled(!has)
}

func (in *inputs) controllers() []qoskind.Controller { return in.options.Controllers }

// controllerSetter puts a text into a cell of the table.
func controllerSetter(i int, column *controllerColumn) lab.Setter[*inputs] {
	_, inRow := lab.InRow((*inputs).controllers, i, column.text, column.set)
	return func(in *inputs, text string) error {
		if err := inRow(in, text); err != nil {
			return err
		}
		name := in.options.Controllers[i].Name
		if others := slices.Delete(slices.Clone(in.options.Controllers), i, i+1); slices.ContainsFunc(others, func(c qoskind.Controller) bool { return c.Name == name }) {
			return fmt.Errorf("there is a controller %q already", name)
		}
		return nil
	}
}

// addController adds a Deployment of two small instances.
func (v *View) addController() {
	v.controllerPages.Show(len(v.Inputs.options.Controllers))
	v.Edit("add a controller", func(in *inputs) {
		all := in.options.Controllers
		classes := in.classes()
		c := qoskind.Controller{
			Name: "web", Kind: qos.Deployment.String(), Class: classes[len(classes)-1].Name, Replicas: 2, CPU: 0.25, Memory: 0.25,
			Measure: qos.Aggregated.String(),
		}
		if in.options.Horizon == 0 {
			c.Duration = 3600
		}
		for n := 2; slices.ContainsFunc(all, func(other qoskind.Controller) bool { return other.Name == c.Name }); n++ {
			c.Name = "web " + strconv.Itoa(n)
		}
		in.options.Controllers = append(all, c)
	})
}

func (v *View) removeController(i int) {
	v.Renumber(controllerFields)
	v.Edit("remove controller "+v.Inputs.options.Controllers[i].Name, func(in *inputs) {
		in.options.Controllers = slices.Delete(in.options.Controllers, i, i+1)
	})
}

// renameClass has the controllers of a class follow it to another name.
func (in *inputs) renameClass(from, to string) {
	for i := range in.options.Controllers {
		if c := &in.options.Controllers[i]; c.Class == from {
			c.Class = to
		}
	}
}

// maxControllersFile bounds a file of controllers in bytes.
const maxControllersFile = 256 << 10

// chooseControllers takes the list from the first of some files.
func (v *View) chooseControllers(files []ui.File) {
	v.TakeFirst(files, scenario.MaxBytes, func(t *lab.Source) {
		switch {
		case isManifest(t):
			v.AwaitFiles()
			v.useManifests([]*lab.Source{t}, v.FilesRead)
		case t.Size() > maxControllersFile:
			v.Trouble = t.Name + " has " + ui.Bytes(int64(t.Size())) + "; at most " + ui.Bytes(maxControllersFile) + " of controllers can be read."
		default:
			v.useControllers(t)
		}
	})
}

// useControllers makes a file the list of controllers, or says what is wrong
// with it.
func (v *View) useControllers(t *lab.Source) {
	d := v.Inputs.Clone().options
	if err := qoskind.ReadControllers([]byte(t.Text), &d); err != nil {
		v.Trouble = lab.InFile(t, err)
		return
	}
	v.Trouble = ""
	v.Forgive(controllerFields)
	v.controllerPages.Show(0)
	v.Change("choose "+t.Name, func(in *inputs) {
		v.Unname(in)
		in.options.Controllers = d.Controllers
	})
}

// apartControllers tells lists of controllers from other texts.
func apartControllers(texts []*lab.Source) (lists, others []*lab.Source) {
	for _, t := range texts {
		if qoskind.IsControllers([]byte(t.Text)) {
			lists = append(lists, t)
		} else {
			others = append(others, t)
		}
	}
	return lists, others
}

func (v *View) downloadControllers() {
	data, err := json.MarshalIndent(v.Inputs.options.Controllers, "", "  ")
	if err != nil {
		v.Complain("The controllers could not be written", err)
		return
	}
	ui.Download("controllers.json", "application/json", append(data, '\n'))
}
