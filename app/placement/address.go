package placement

import (
	"regexp"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/shell"
	"berth/engine/scenario"
)

// listenToAddress opens links that are pasted into the address bar while the
// page is there. go-app's own navigation misses one that equals the last.
func (v *View) listenToAddress() {
	app.Window().Call("addEventListener", "hashchange", app.FuncOf(func(app.Value, []app.Value) any {
		v.page.Dispatch(func(ctx app.Context) {
			if shell.Active(ctx, Path) {
				v.openAddress()
			}
		})
		return nil
	}))
}

// linkInAddress is the fragment of a shared link, "" if there is none.
func linkInAddress() string {
	hash := app.Window().Get("location").Get("hash").String()
	if !isLink(hash) {
		return ""
	}
	return hash
}

// bareLink is a packed scenario without the "s=" in front, as somebody may have
// put it behind an address by hand.
var bareLink = regexp.MustCompile(`^#[0-9]+\.`)

func isLink(fragment string) bool {
	return strings.HasPrefix(fragment, linkLead) || bareLink.MatchString(fragment)
}

// openAddress opens the link in the address and reports whether there is one.
// One that cannot be read changes nothing but the error region.
func (v *View) openAddress() bool {
	link := linkInAddress()
	if link == "" {
		return false
	}
	return v.openLink(link)
}

func (v *View) openLink(link string) bool {
	s, err := scenario.DecodeLink(link)
	if err != nil {
		v.complain("The link could not be opened", err)
		return false
	}
	v.giveWay("open link", inputsOf(s))
	return true
}

// leaveLink takes the link out of the address once the inputs are no longer
// those of the link, so that a reload does not bring it back over them.
func (v *View) leaveLink() {
	if !v.unsaved || linkInAddress() == "" {
		return
	}
	address := *v.page.Page().URL()
	address.Fragment, address.RawFragment = "", ""
	v.page.Page().ReplaceURL(&address)
}
