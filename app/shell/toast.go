package shell

import (
	"slices"
	"strconv"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// toastTime is the time for which an announcement is visible.
const toastTime = 6 * time.Second

// toasts holds the visible announcements. Each keeps its place, and so its element, until it
// disappears, because screen readers would announce it again in another element.
type toasts struct {
	places    []toast
	announced int // number of announcements up to now
}

// toast is an announcement; the zero value is a free place.
type toast struct {
	number int // from 1
	text   string
}

// add shows a text and returns the number of its toast. A repeated text replaces the old toast, but
// in another place, so that screen readers announce it again.
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

// drop removes toasts, and the free places at the end.
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

// region draws the toasts, the latest at the bottom.
func (t *toasts) region() app.UI {
	return app.Div().Class("toasts").Role("status").Aria("live", "polite").Aria("atomic", false).Body( // do not announce existing toasts again
		app.Range(t.places).Slice(func(i int) app.UI {
			if t.places[i] == (toast{}) {
				return app.Div().Hidden(true)
			}
			return app.Div().Class("toast").Style("order", strconv.Itoa(t.places[i].number)).Text(t.places[i].text)
		}),
	)
}
