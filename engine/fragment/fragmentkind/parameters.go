package fragmentkind

import (
	"slices"

	"berth/engine/fragment"
	"berth/engine/parameter"
)

var parameters = []parameter.Parameter{
	{Name: "arrive", Title: "Requests for GPUs", Help: "pods arrive until they have asked for `TIMES` the GPUs of all nodes", Low: 0.1, High: fragment.MostArrive, Default: UsualArrive},
}

// Parameters lists the parameters of a document.
func Parameters() []parameter.Parameter { return slices.Clone(parameters) }

// Numbers are the parameters that an experiment may vary.
func (d *Document) Numbers() []parameter.Parameter { return Parameters() }

// ParameterAt implements [scenario.Described].
func (d *Document) ParameterAt(list, _, path string) *parameter.Parameter {
	if list == "" && path == parameters[0].JSONPath() {
		return &parameters[0]
	}
	return nil
}
