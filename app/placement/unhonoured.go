package placement

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/ui"
	"berth/engine/placement/placementkind"
	"berth/engine/show"
)

// unhonoured lists the fields of the deployments that restrict the clusters of their jobs and
// are not honoured.
func unhonoured(r *placementkind.Report) app.UI {
	var lines []app.UI
	for i := range r.Deployments {
		for _, u := range r.Deployments[i].Unhonoured {
			lines = append(lines, app.Li().Text(show.Words(u.String())))
		}
	}
	return app.Div().DataSet("testid", "unhonoured").Class("note").Hidden(lines == nil).Body(ui.Icon("info"), app.Ul().Body(lines...))
}
