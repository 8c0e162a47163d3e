//go:build !js

package placement

import (
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/engine/input/format"
	"berth/engine/placement/placementkind"
)

// Fields that are not honoured are listed below the deployment. If there are none, nothing is
// drawn.
func TestUnhonouredIsListed(t *testing.T) {
	r := &placementkind.Report{Deployments: []placementkind.DeploymentSummary{{Name: "app.yaml"}}}
	if got := app.HTMLString(unhonoured(r)); strings.Contains(got, `hidden="false"`) {
		t.Error(got)
	}
	r.Deployments[0].Unhonoured = []format.Unhonoured{{Object: "Deployment/web", Field: "spec.template.spec.schedulerName", Says: "another scheduler decides", Line: 7}}
	got := app.HTMLString(unhonoured(r))
	if !strings.Contains(got, "Deployment/web spec.template.spec.schedulerName (line 7): another scheduler decides") || !strings.Contains(got, `hidden="false"`) {
		t.Error(got)
	}
}
