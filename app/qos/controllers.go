package qos

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/cluster"
	"berth/engine/input/workload"
	"berth/engine/qos"
	"berth/engine/qos/qoskind"
	"berth/engine/scenario"
)

// controllersPart is the id for errors about the controllers, which have no single control.
const controllersPart = "controllers"

// only returns a function that reports whether a controller has one of the kinds.
func only(kinds ...qos.ControllerKind) func(c *qoskind.Controller) bool {
	return func(c *qoskind.Controller) bool {
		return slices.ContainsFunc(kinds, func(k qos.ControllerKind) bool { return c.Kind == k.String() })
	}
}

// controllerFields is the prefix of the ids of the table's fields.
const controllerFields = "qos-controller-"

func (f *fields) controllerRows() *lab.Rows[*inputs, qoskind.Controller] {
	column := func(name string) lab.Column[qoskind.Controller] {
		return lab.ColumnOf[qoskind.Controller](name, qoskind.ControllerFields, name)
	}
	class := lab.TextColumn("class", "class", "Service class of the instances", "", func(c *qoskind.Controller) *string { return &c.Class })
	class.Choices = f.view.Inputs.options.ClassNames()
	measure := column("measure").In(func(c *qoskind.Controller) bool { return !c.Batch() })
	independent := measure.Text
	measure.Text = func(c *qoskind.Controller) string {
		if c.Batch() {
			return qos.Aggregated.String()
		}
		return independent(c)
	}
	spread := column("antiAffinity")
	spread.Key = "spread"
	return &lab.Rows[*inputs, qoskind.Controller]{
		Lead: controllerFields, TestID: "qos-controllers-table", Caption: "Controllers", Thing: "controller",
		Name: func(c *qoskind.Controller) string { return c.Name }, Unique: true,
		Of: func(in *inputs) []qoskind.Controller { return in.options.Controllers },
		Put: func(in *inputs, all []qoskind.Controller, _ int) error {
			in.options.Controllers = all
			return nil
		},
		Columns: []lab.Column[qoskind.Controller]{
			lab.TextColumn("name", "name", "Name of the controller", "a controller needs a name", func(c *qoskind.Controller) *string { return &c.Name }),
			{Key: "kind", Name: "kind", Title: "Deployment: all instances at once; StatefulSet: one after the other; DaemonSet: one on each host; Job: until the number has completed; CronJob: a Job in each period",
				Text: func(c *qoskind.Controller) string { return c.Kind }, Set: setKind, Choices: qos.ControllerKinds()},
			class,
			{Key: "instances", Name: "instances", Title: "How many it keeps running; for a job, how many have to complete", Number: true, Whole: true,
				Has:  only(qos.Deployment, qos.StatefulSet, qos.Job, qos.CronJob),
				Text: func(c *qoskind.Controller) string { return zeroAsEmpty(float64(c.Replicas + c.Completions)) },
				Set: func(c *qoskind.Controller, text string) (err error) {
					n := &c.Replicas
					if c.Batch() {
						n = &c.Completions
					}
					*n, err = lab.ParseWhole(text, 1, qoskind.MaxInstances)
					return err
				}},
			column("cpu"), column("memory"),
			{Key: "gpus", Name: "GPUs", Title: "GPUs of an instance: whole devices, or below 1 a share of one", Number: true,
				Unset: func(*qoskind.Controller) string { return "none" }, Text: func(c *qoskind.Controller) string { return zeroAsEmpty(c.GPUs) }, Set: setGPUs},
			measure,
			column("submit"), column("duration"), column("copies"),
			column("interval").In(func(c *qoskind.Controller) bool { return c.Copies > 1 }),
			column("parallelism").In((*qoskind.Controller).Batch), column("period").In(only(qos.CronJob)), column("runs").In(only(qos.CronJob)),
			{Key: "constraints", Name: "constraints", Title: "Constraints on hosts: disk=ssd; cores>2", Unset: func(*qoskind.Controller) string { return "any host" },
				Text: func(c *qoskind.Controller) string { return strings.Join(c.Constraints, "; ") }, Set: setConstraints},
			spread,
		},
	}
}

// setGPUs sets a whole number of GPUs, or a share of one below 1.
func setGPUs(c *qoskind.Controller, text string) (err error) {
	if c.GPUs = 0; text == "" {
		return nil
	}
	if c.GPUs, err = lab.ParseNumber(text, 0, cluster.MaxGPUs); err != nil {
		return err
	}
	return qoskind.CheckGPUs(c.GPUs)
}

// setKind changes the kind of a controller. It resets the fields that the new kind does not have.
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
		if _, err := workload.ParseConstraint(part); err != nil {
			return err
		}
		c.Constraints = append(c.Constraints, part)
	}
	return nil
}

// controllerSection draws the controllers in a table that the user edits in place, with buttons to
// open and save a file.
func (f *fields) controllerSection() app.UI {
	n := len(f.view.Inputs.options.Controllers)
	return app.Div().Body(
		app.P().Class("hint").Text("Controllers submit instances, with or without a workload, and each has an availability as a whole. "+
			"If one is concurrent or aggregated, decisions depend on the history of all its instances, "+
			"and the run takes longer."),
		f.controllerRows().Table(f.view.Lab, &f.controllerPages),
		f.controllerPages.Turner("controllers", n, func() { f.view.Form.Forgive(controllerFields) }),
		f.view.Form.WrongOf(controllerFields),
		app.Div().Body(app.Range(f.view.Form.Blamed[controllersPart]).Slice(func(i int) app.UI { return ui.Problem(f.view.Form.Blamed[controllersPart][i]) })),
		app.Div().Class("row source-ways").Body(
			ui.Disabled(ui.Button("plus", "Add").Aria("label", "Add a controller"), n >= qoskind.MaxControllers).
				OnClick(func(app.Context, app.Event) { f.addController() }),
			&ui.DropZone{ID: "qos-controllers-file", TestID: "qos-controllers-file", Label: "Choose", Hint: "JSON, as for berth simulate --controllers",
				Accept: ".json,.yaml,.yml,.gz,application/json", OnFiles: func(_ app.Context, files []ui.File) { f.chooseControllers(files) }},
			ui.Disabled(ui.Button("download", "Download").Aria("label", "Download the controllers as a file"), n == 0).
				OnClick(func(app.Context, app.Event) { download(f.view, "controllers", f.view.Inputs.options.Controllers) }),
		),
	)
}

// addController adds a Deployment with two small instances.
func (f *fields) addController() {
	f.controllerPages.Show(len(f.view.Inputs.options.Controllers))
	f.view.Edit("add a controller", func(in *inputs) {
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

// renameClass moves the controllers of a class to its new name.
func (in *inputs) renameClass(from, to string) {
	for i := range in.options.Controllers {
		if c := &in.options.Controllers[i]; c.Class == from {
			c.Class = to
		}
	}
}

// chooseControllers takes the controllers from the first file, a list in JSON or a Kubernetes
// manifest.
func (f *fields) chooseControllers(files []ui.File) {
	f.view.Files.TakeFirst(files, scenario.MaxBytes, func(t *lab.Source) {
		switch {
		case t.Kubernetes():
			f.view.Files.AwaitFiles()
			f.useManifests([]*lab.Source{t}, f.view.Files.FilesRead)
		case t.Size() > maxTableFile:
			f.view.Files.Trouble = t.Name + " has " + ui.Bytes(int64(t.Size())) + "; at most " + ui.Bytes(maxTableFile) + " of controllers can be read."
		default:
			f.useControllers(t)
		}
	})
}

// useControllers replaces the controllers by those in a file, or reports the file's error.
func (f *fields) useControllers(t *lab.Source) {
	d := f.view.Inputs.Clone().options
	if err := qoskind.ReadControllers([]byte(t.Text), &d); err != nil {
		f.view.Files.Trouble = lab.InFile(t, err)
		return
	}
	f.view.Files.Trouble = ""
	f.view.Form.Forgive(controllerFields)
	f.controllerPages.Show(0)
	f.view.Files.ChangeAndTell("choose "+t.Name, func(in *inputs) {
		f.view.Unname(in)
		in.options.Controllers = d.Controllers
	}, t)
}
