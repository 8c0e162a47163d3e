package placementkind

import "berth/engine/placement/drawing"

// OverviewQuery asks for the figures of the run of the first seed, of all
// deployments.
type OverviewQuery struct {
	Strategy int `json:"strategy"`
}

// Overview returns the placement in figures.
func (e *Prepared) Overview(q OverviewQuery) (drawing.Overview, error) {
	placed, err := e.placed(q.Strategy, AllDeployments)
	if err != nil {
		return drawing.Overview{}, err
	}
	return drawing.Overlook(e.federation.Federation, placed), nil
}
