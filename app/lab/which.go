package lab

import (
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/ui"
)

// Offer is a button that answers a question of the page.
type Offer struct {
	TestID, Icon, Label string
	Take                func()
}

// BusyOffers are the machine utilisations, in per cent, that the page offers.
var BusyOffers = [...]int{95, 80, 50}

// Busy returns the offer to add machines with this utilisation; see [BusyOffers].
func Busy(prefix string, percent int, label string, take func()) Offer {
	return Offer{prefix + "busy-" + strconv.Itoa(percent), "plus", label, take}
}

// Which draws the question which machines to use, with a button for each offer. Views show it if no
// list of machines exists.
func Which(testID, question string, offers []Offer) app.UI {
	var buttons []app.UI
	for _, o := range offers {
		buttons = append(buttons, ui.Button(o.Icon, o.Label).DataSet("testid", o.TestID).
			OnClick(func(app.Context, app.Event) { o.Take() }, app.EventScope(testID, o.Label)))
	}
	return app.Div().DataSet("testid", testID).Body(app.P().Class("hint").Text(question), app.Div().Class("row").Body(buttons...))
}
