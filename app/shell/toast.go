package shell

import (
	"slices"
	"strconv"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// toastTime is how long an announcement stays in sight.
const toastTime = 6 * time.Second

// toasts are the announcements in sight. Each keeps its place, and with that its
// element, until it goes: in the element of another one it would be read out again.
type toasts struct {
	places    []toast
	announced int // how many announcements there were
}

// toast is an announcement; the zero toast is a free place.
type toast struct {
	number int // from 1
	text   string
}

// add shows a text and returns the number of its toast. The same words again replace
// the old ones, but in another place: there they are read out once more.
func (t *toasts) add(text string) (number int) {
	t.announced++
	added := toast{t.announced, text}
	if free := slices.Index(t.places, toast{}); free >= 0 {
		t.places[free] = added
	} else {
		t.places = append(t.places, added)
	}
	t.drop(func(old toast) bool { return old.text == text && old != added })
	return added.number
}

// drop takes toasts away. Free places at the end go too: no toast stands behind them.
func (t *toasts) drop(unwanted func(toast) bool) {
	last := 0
	for i, old := range t.places {
		if unwanted(old) {
			t.places[i] = toast{}
		}
		if t.places[i] != (toast{}) {
			last = i + 1
		}
	}
	t.places = t.places[:last]
}

// region draws the toasts, the latest below the others whatever its place is.
func (t *toasts) region() app.UI {
	return app.Div().Class("toasts").Role("status").Aria("live", "polite").Aria("atomic", false).Body( // what stands there already is not said again
		app.Range(t.places).Slice(func(i int) app.UI {
			if t.places[i] == (toast{}) {
				return app.Div().Hidden(true)
			}
			return app.Div().Class("toast").Style("order", strconv.Itoa(t.places[i].number)).Text(t.places[i].text)
		}),
	)
}
