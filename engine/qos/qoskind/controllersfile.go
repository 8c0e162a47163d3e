package qoskind

import "berth/engine/scenario"

const controllersTable = `[{"name": "web", "kind": "deployment", …}, …]`

// ReadControllers reads a list of controllers into a document with classes and a horizon: a JSON
// array in the form of the document, or an object with the array as "controllers". Its errors
// are those of [scenario.Decode].
func ReadControllers(data []byte, d *Document) error {
	return scenario.DecodeTree(data, controllersTable, func(root any, found *scenario.Problems) {
		d.Controllers = nil
		path := scenario.AssignList("controllers", root, &d.Controllers, found, nil)
		if len(found.List) == 0 {
			d.ValidateControllers(path, found)
		}
		if len(found.List) == 0 && len(d.Controllers) == 0 {
			found.Add(path, noControllers, controllersTable)
		}
	})
}
