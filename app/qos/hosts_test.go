//go:build !js

package qos

import (
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/engine/qos/qoskind"
)

// If the user's requests would run on an example's hosts, the page asks which hosts to use. The
// answer becomes part of the document, which runs.
func TestWhichHosts(t *testing.T) {
	b := open(t)
	asked := func() string {
		return app.HTMLString(b.Slots.Field(slotNamed(qoskind.HostsSlot), b.fields.whichHosts()...))
	}
	if strings.Contains(asked(), "qos-which-hosts") {
		t.Error("an example has hosts, and the page asks which")
	}
	// 3 CPUs are in use for 100 s, and the last request comes at 100 s.
	b.drop(lab.TextSource("mine.csv", "id,submit_s,duration_s,cpu,memory,class\n1,0,100,1,1,gold\n2,0,100,1,1,gold\n3,0,100,1,1,gold\n4,100,1,1,1,gold\n"))
	for _, want := range []string{"qos-which-hosts", "qos-busy-95", "qos-busy-50", "qos-example-hosts"} {
		if !strings.Contains(asked(), want) {
			t.Fatalf("%s is not in %s", want, asked())
		}
	}
	press := func(testID string) {
		for _, o := range b.fields.hostOffers() {
			if o.TestID == testID {
				o.Take()
			}
		}
		b.wantDone()
	}
	press("qos-busy-50")
	if got := b.result.report().Hosts.Hosts; got != 6 {
		t.Errorf("%d hosts that are half busy, want 6", got)
	}
	if x := b.Intake.LeftOver(); x != nil {
		t.Errorf("left is %+v", x)
	}
	b.Edit("remove hosts", func(in *inputs) { delete(in.sources, qoskind.HostsSlot) })
	b.settle()
	if !strings.Contains(asked(), "qos-which-hosts") {
		t.Error("without hosts the page does not ask")
	}
	press("qos-example-hosts")
	if got := b.result.report().Hosts.Hosts; got != 5 || strings.Contains(asked(), "qos-which-hosts") {
		t.Errorf("%d hosts of the example list; %s", got, asked())
	}
}
