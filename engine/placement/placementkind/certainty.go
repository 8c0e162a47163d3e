package placementkind

import "berth/engine/placement"

// Certainty is a cost with the lower bound of all placements. The page and the command line word it
// the same way.
type Certainty struct {
	Total, Bound float64
	Proved       bool
	Deployments  int // number of deployments whose bounds were added, each given the earlier deployments
}

// Certainty returns the certainty of the cost of a tally. Its bound is at least 0.
func (t *Tally) Certainty() Certainty {
	c := Certainty{Total: float64(t.Total), Proved: t.proof() == string(placement.ProvedOptimal), Deployments: t.parts}
	if t.Bound.Defined() {
		c.Bound = float64(t.Bound)
	}
	return c
}

// NamedCertificate is the certificate of one deployment, or of all deployments placed jointly.
type NamedCertificate struct {
	Name string
	*Certificate
}

// Certificates returns the certificate of each deployment, or the joint one if all were placed
// jointly.
func (s *StrategyReport) Certificates() []NamedCertificate {
	if s.Joint != nil && len(s.Deployments) > 1 {
		return []NamedCertificate{{"all deployments", &s.Joint.Certificate}}
	}
	all := make([]NamedCertificate, len(s.Deployments))
	for i := range all {
		all[i] = NamedCertificate{s.Deployments[i].Name, &s.Deployments[i].Certificate}
	}
	return all
}
