package fragmentkind

import (
	"slices"

	"berth/engine/kube/fragment"
	"berth/engine/parameter"
)

var parameters = []parameter.Parameter{
	{Name: "arrive", Title: "Requests for GPUs", Help: "pods arrive until they have asked for `TIMES` the GPUs of all nodes", Low: 0.1, High: fragment.MostArrive, Default: UsualArrive},
}

// Parameters lists the parameters of a document.
func Parameters() []parameter.Parameter { return slices.Clone(parameters) }
