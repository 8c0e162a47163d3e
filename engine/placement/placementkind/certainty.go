package placementkind

import "berth/engine/placement"

// Certainty is a cost with the lower bound of all placements, and whether the cost is proved
// to be the lowest. Page and command line word it alike.
type Certainty struct {
	Total, Bound float64
	Proved       bool
	Deployments  int // whose bounds are added up, each given the deployments before it
}

// Certainty is the certainty of the cost of a tally. Its bound is at least 0.
func (t *Tally) Certainty() Certainty {
	c := Certainty{Total: float64(t.Total), Proved: t.proof() == string(placement.ProvedOptimal), Deployments: t.parts}
	if t.Bound.Defined() {
		c.Bound = float64(t.Bound)
	}
	return c
}

// NamedCertificate is the certificate of a deployment, or of all deployments placed at once.
type NamedCertificate struct {
	Name string
	*Certificate
}

// Certificates are of each deployment, or of all at once where they were placed so.
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
