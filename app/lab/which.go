package lab

import (
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/ui"
)

// Offer is an answer to a question of the page.
type Offer struct {
	TestID, Icon, Label string
	Take                func()
}

// BusyOffers are the shares, in per cent, of the time that machines are offered to be busy.
var BusyOffers = [...]int{95, 80, 50}

// Busy is an offer of machines that are busy for a share of [BusyOffers].
func Busy(prefix string, percent int, label string, take func()) Offer {
	return Offer{prefix + "busy-" + strconv.Itoa(percent), "plus", label, take}
}

// Which asks which machines there are, where no list says so.
func Which(testID, question string, offers []Offer) app.UI {
	var buttons []app.UI
	for _, o := range offers {
		buttons = append(buttons, ui.Button(o.Icon, o.Label).DataSet("testid", o.TestID).
			OnClick(func(app.Context, app.Event) { o.Take() }, app.EventScope(testID, o.Label)))
	}
	return app.Div().DataSet("testid", testID).Body(app.P().Class("hint").Text(question), app.Div().Class("row").Body(buttons...))
}
