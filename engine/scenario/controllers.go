package scenario

import (
	"encoding/json"

	"berth/engine/qos/qoskind"
	"berth/engine/scenario/strict"
)

const controllersTable = `[{"name": "web", "kind": "deployment", …}, …]`

// ReadControllers reads a list of controllers into a document that has its
// classes and its horizon already: a JSON array, as the document has it, or an
// object with the array as "controllers". Its error is as that of [Decode].
func ReadControllers(data []byte, d *qoskind.Document) error {
	var found problems
	root, err := strict.Read(data, controllersTable, &found.Problems)
	if err != nil {
		return err
	}
	path := ""
	d.Controllers = nil
	if _, bare := root.([]any); bare {
		strict.Assign(root, &d.Controllers, &found.Problems)
	} else {
		var list struct {
			Controllers []qoskind.Controller `json:"controllers"`
		}
		strict.Assign(root, &list, &found.Problems)
		d.Controllers, path = list.Controllers, "controllers"
	}
	if len(found.List) == 0 {
		d.ValidateControllers(path, &found.Problems)
	}
	if len(found.List) == 0 && len(d.Controllers) == 0 {
		found.Add(path, "there are no controllers; expected %s", controllersTable)
	}
	strict.Locate(data, found.List)
	return found.Err()
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
