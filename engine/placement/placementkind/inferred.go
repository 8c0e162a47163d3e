package placementkind

import (
	"context"
	"slices"

	"berth/engine/input/format"
	"berth/engine/show"
)

// InferredDependency is an inferred dependency of a deployment.
type InferredDependency struct {
	Deployment int `json:"deployment"` // from 0
	format.Inferred
}

// inferred lists the inferred dependencies, including those that the document leaves out.
func (e *Prepared) inferred(context.Context, struct{}) ([]InferredDependency, error) {
	var all []InferredDependency
	for i, d := range e.world.deployments {
		for _, x := range d.Inferred {
			all = append(all, InferredDependency{i, x})
		}
	}
	return all, nil
}

// chosen adds notes for choices about dependencies that are no longer inferred.
func (r *graphReader) chosen() {
	for _, c := range r.document.Inferred {
		if !slices.ContainsFunc(r.world.deployments, func(d format.Deployment) bool {
			return slices.ContainsFunc(d.Inferred, func(x format.Inferred) bool {
				return x.From == c.From && x.To == c.To || x.From == c.To && x.To == c.From
			})
		}) {
			r.note(noEffect, show.Quote(c.From), show.Quote(c.To))
		}
	}
}
