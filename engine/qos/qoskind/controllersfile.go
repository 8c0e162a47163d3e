package qoskind

import "berth/engine/scenario"

const controllersTable = `[{"name": "web", "kind": "deployment", …}, …]`

// ReadControllers reads a list of controllers into d. It validates the list against the classes and
// the horizon of d. The list is a JSON array as in a document, or an object with the array under
// the key controllers. Its errors have the same form as the errors of [scenario.Decode].
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
