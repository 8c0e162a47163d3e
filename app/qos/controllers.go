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
	"berth/engine/cluster"
	"berth/engine/input/workload"
	"berth/engine/qos"
	"berth/engine/qos/qoskind"
	"berth/engine/scenario"
)

// controllersPart is the key of the controllers' errors, beside the keys of the sources.
const controllersPart = "controllers"

func controllersTitle(in *inputs) string {
	if n := len(in.options.Controllers); n > 0 {
		return fmt.Sprintf("Controllers (%d)", n)
	}
	return "Controllers"
}

// only returns whether a controller is of one of the kinds.
func only(kinds ...qos.ControllerKind) func(c *qoskind.Controller) bool {
	return func(c *qoskind.Controller) bool {
		return slices.ContainsFunc(kinds, func(k qos.ControllerKind) bool { return c.Kind == k.String() })
	}
}

// controllerFields is how the ids of the fields of the table begin.
const controllerFields = "qos-controller-"

// controllerRows is the table of controllers.
func (v *View) controllerRows() *lab.Rows[*inputs, qoskind.Controller] {
	column := func(name string) lab.Column[qoskind.Controller] {
		return lab.ColumnOf[qoskind.Controller](name, qoskind.ControllerFields, name)
	}
	class := lab.TextColumn("class", "class", "Service class of the instances", "", func(c *qoskind.Controller) *string { return &c.Class })
	class.Choices = v.Inputs.options.ClassNames()
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

// setGPUs takes a whole number, or a share below 1.
func setGPUs(c *qoskind.Controller, text string) (err error) {
	if c.GPUs = 0; text == "" {
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
		if _, err := workload.ParseConstraint(part); err != nil {
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
		v.controllerRows().Table(v.Lab, &v.controllerPages),
		v.controllerPages.Turner("controllers", n, func() { v.Forgive(controllerFields) }),
		v.WrongOf(controllerFields),
		app.Div().Body(app.Range(v.Blamed[controllersPart]).Slice(func(i int) app.UI { return ui.Problem(v.Blamed[controllersPart][i]) })),
		app.Div().Class("row source-ways").Body(
			ui.Disabled(ui.Button("plus", "Add").Aria("label", "Add a controller"), n >= qoskind.MaxControllers).
				OnClick(func(app.Context, app.Event) { v.addController() }),
			&ui.DropZone{ID: "qos-controllers-file", TestID: "qos-controllers-file", Label: "Choose", Hint: "JSON, as for berth simulate --controllers",
				Accept: ".json,.yaml,.yml,.gz,application/json", OnFiles: func(_ app.Context, files []ui.File) { v.chooseControllers(files) }},
			ui.Disabled(ui.Button("download", "Download").Aria("label", "Download the controllers as a file"), n == 0).
				OnClick(func(app.Context, app.Event) { download(v, "controllers", v.Inputs.options.Controllers) }),
		),
	)
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

// useControllers makes a file the list of controllers, or shows its error.
func (v *View) useControllers(t *lab.Source) {
	d := v.Inputs.Clone().options
	if err := qoskind.ReadControllers([]byte(t.Text), &d); err != nil {
		v.Trouble = lab.InFile(t, err)
		return
	}
	v.Trouble = ""
	v.Forgive(controllerFields)
	v.controllerPages.Show(0)
	v.ChangeAndTell("choose "+t.Name, func(in *inputs) {
		v.Unname(in)
		in.options.Controllers = d.Controllers
	}, t)
}
