package qos

import (
	"slices"

	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/qos/qoskind"
)

// maxClassFile bounds a file of classes in bytes: a table has 64 rows.
const maxClassFile = 256 << 10

// useClasses makes a file the table of classes, or shows its error.
func (v *View) useClasses(t *lab.Source) {
	classes, err := qoskind.ParseClasses(t.Name, []byte(t.Text))
	if err != nil {
		v.Trouble = err.Error()
		return
	}
	v.Trouble = ""
	v.Forgive(classFields)
	v.ChangeAndTell("choose "+t.Name, func(in *inputs) { in.options.Classes = classes })
}

// takeClasses uses the files of classes among some texts and returns the others.
func (v *View) takeClasses(texts []*lab.Source) []*lab.Source {
	return slices.DeleteFunc(texts, func(t *lab.Source) bool {
		is := qoskind.IsClasses(t.Text)
		if is {
			v.useClasses(t)
		}
		return is
	})
}

// downloadClasses saves the table on screen. It omits empty fields, which then follow the
// defaults where the file is used.
func (v *View) downloadClasses() {
	data, err := qoskind.EncodeClasses(v.Inputs.classes())
	if err != nil {
		v.Complain("The classes could not be written", err)
		return
	}
	ui.Download("classes.json", "application/json", data)
}
