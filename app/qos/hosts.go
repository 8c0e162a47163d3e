package qos

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/qos/qoskind"
)

// asksHosts reports whether the inputs have a workload, but the user has chosen no hosts.
func (f *fields) asksHosts() bool {
	hosts := f.view.Inputs.sources[qoskind.HostsSlot]
	x := f.view.Intake.LeftOver()
	left := x != nil && len(x.Sources) > 0 && x.Sources[0] == hosts
	return f.view.Inputs.sources[qoskind.WorkloadSlot] != nil && (hosts == nil || left || hosts.Recipe != nil && hosts.Recipe.Preset == qoskind.Busy)
}

// whichHosts asks which hosts to use if the user chose none.
func (f *fields) whichHosts() []app.UI {
	if !f.asksHosts() {
		return nil
	}
	return []app.UI{lab.Which("qos-which-hosts", "Which hosts? Berth can make as many of one size as the requests keep so busy on average.", f.hostOffers())}
}

// hostOffers returns the offers of generated hosts for several utilisations, and of an example
// list.
func (f *fields) hostOffers() (offers []lab.Offer) {
	for _, percent := range lab.BusyOffers {
		share := ui.Percent(float64(percent) / 100)
		offers = append(offers, lab.Busy("qos-", percent, "Hosts "+share+" busy", func() {
			hosts := slotNamed(qoskind.HostsSlot)
			recipe := hosts.First()
			recipe.Preset, recipe.Parameters = qoskind.Busy, map[string]float64{"busy": float64(percent) / 100}
			f.useHosts(lab.RecipeSource("hosts "+share+" busy", recipe))
		}))
	}
	return append(offers, lab.Offer{TestID: "qos-example-hosts", Icon: "file", Label: "Try an example list", Take: func() {
		f.useHosts(lab.TextSource("hosts.csv", exampleHosts))
	}})
}

func (f *fields) useHosts(s *lab.Source) {
	f.view.Edit("use "+s.Name, func(in *inputs) { in.sources[qoskind.HostsSlot] = s })
}

// exampleHosts is a list of hosts of three sizes.
const exampleHosts = `name,cpu,memory,attributes,gpus
small-1,16,64,,
small-2,16,64,,
large-1,64,256,disk=ssd,
large-2,64,256,disk=ssd,
gpu-1,32,128,disk=ssd,4
`
