package qos

import (
	"net/url"
	"slices"
	"strconv"

	"berth/app/lab"
)

// The parameters of the address that name a place in a result.
const (
	placePolicy   = "policy"   // title of the policy that the player follows
	placeDecision = "decision" // explained decision, from 1, at which the player rests
)

// shownPlace returns the place in the result as parameters of the address. It omits
// defaults.
func (w *why) shownPlace() url.Values {
	place, one := url.Values{}, w.followed()
	if w.view.Phase != lab.Done || one == nil {
		return place
	}
	if w.follows > 0 {
		place.Set(placePolicy, one.policy.Title())
	}
	if w.decisions() == 0 {
		return place
	}
	if t := w.followedTimeline().Answer; w.decision != t.Opening(t.stays, -1) {
		place.Set(placeDecision, strconv.Itoa(w.decision+1))
	}
	return place
}

// goTo shows a place of the result. It returns false while the place's policy has not run.
func (w *why) goTo(place url.Values) bool {
	follows := 0
	if policy := place.Get(placePolicy); policy != "" {
		follows = slices.IndexFunc(w.view.result.there(), func(one *run) bool { return one.policy.Title() == policy })
	}
	switch {
	case follows < 0:
		return w.view.result.Over
	case follows != w.follows:
		w.chooseFollowed(follows)
	}
	t := w.followedTimeline()
	if t.Waits {
		return false
	}
	decision, err := strconv.Atoi(place.Get(placeDecision))
	if err != nil && t.Answer != nil {
		decision = t.Answer.Opening(t.Answer.stays, -1) + 1
	}
	w.goToDecision(decision - 1)
	return true
}
