package placementkind

import "berth/engine/placement"

// Certainty is what is known of a cost: a bound that no placement falls below, and
// whether the cost is proved to be the lowest. Page and command line have its words
// from here.
type Certainty struct {
	Total, Bound float64
	Proved       bool
	Deployments  int // whose bounds are added up, each given the deployments before it
}

// Certainty is what is known of the cost of a tally. No cost falls below 0.
func (t *Tally) Certainty() Certainty {
	c := Certainty{Total: float64(t.Total), Proved: t.proof() == string(placement.ProvedOptimal), Deployments: t.parts}
	if t.Bound.Defined() {
		c.Bound = float64(t.Bound)
	}
	return c
}

// NamedCertificate is what is known of a deployment, or of all that are placed at once.
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
