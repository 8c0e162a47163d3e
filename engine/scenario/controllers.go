package scenario

import (
	"reflect"

	"berth/engine/scenario/simulate"
)

// ReadControllers reads a list of controllers into a document that has its
// classes and its horizon already: a JSON array, as the document has it, or an
// object with the array as "controllers". Its error is as that of [Decode].
func ReadControllers(data []byte, d *simulate.Document) error {
	var found problems
	t, err := parse(data, &found)
	if err != nil {
		return err
	}
	path := ""
	d.Controllers = nil
	if _, bare := t.root.([]any); bare {
		found.assign("", t.root, reflect.ValueOf(&d.Controllers).Elem())
	} else {
		var list struct {
			Controllers []simulate.Controller `json:"controllers"`
		}
		found.assign("", t.root, reflect.ValueOf(&list).Elem())
		d.Controllers, path = list.Controllers, "controllers"
	}
	if len(found.List) == 0 {
		d.ValidateControllers(path, &found.Problems)
	}
	if len(found.List) == 0 && len(d.Controllers) == 0 {
		found.Add(path, `there are no controllers; expected [{"name": "web", "kind": "deployment", …}, …]`)
	}
	t.locate(data, found.List)
	return found.Err()
}
