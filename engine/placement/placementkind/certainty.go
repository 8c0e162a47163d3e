package placementkind

// Certainty is what is known of a cost: a bound that no placement falls below, and
// whether the cost is proved to be the lowest. Page and command line have its words
// from here.
type Certainty struct {
	Total, Bound float64
	Proved       bool
	Deployments  int // whose bounds are added up, each given the deployments before it
}
