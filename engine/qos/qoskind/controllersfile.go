package qoskind

import (
	"encoding/json"

	"berth/engine/scenario"
)

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

// IsControllers guesses whether a text is such a list.
func IsControllers(data []byte) bool {
	type row struct {
		Kind *string `json:"kind"`
	}
	var list []row
	var object struct {
		Controllers []row `json:"controllers"`
	}
	if json.Unmarshal(data, &list) != nil && json.Unmarshal(data, &object) == nil {
		list = object.Controllers
	}
	return len(list) > 0 && list[0].Kind != nil
}
