package qos

import (
	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/qos/qoskind"
)

// asksHosts reports whether there are requests and nothing of the user's says which hosts.
func (v *View) asksHosts() bool {
	hosts := v.Inputs.sources[qoskind.HostsSlot]
	x := v.LeftOver()
	left := x != nil && len(x.Sources) > 0 && x.Sources[0] == hosts
	return v.Inputs.sources[qoskind.WorkloadSlot] != nil && (hosts == nil || left || hosts.Recipe != nil && hosts.Recipe.Preset == qoskind.Busy)
}

// hostOffers are hosts that the requests keep so busy, and a list.
func (v *View) hostOffers() (offers []lab.Offer) {
	for _, percent := range lab.BusyOffers {
		share := ui.Percent(float64(percent) / 100)
		offers = append(offers, lab.Busy("qos-", percent, "Hosts "+share+" busy", func() {
			recipe := defaultRecipe(qoskind.HostsGenerator)
			recipe.Preset, recipe.Parameters = qoskind.Busy, map[string]float64{"busy": float64(percent) / 100}
			v.useHosts(lab.RecipeSource("hosts "+share+" busy", recipe))
		}))
	}
	return append(offers, lab.Offer{TestID: "qos-example-hosts", Icon: "file", Label: "Try an example list", Take: func() {
		v.useHosts(lab.TextSource("hosts.csv", exampleHosts))
	}})
}

func (v *View) useHosts(s *lab.Source) {
	v.Edit("use "+s.Name, func(in *inputs) { in.sources[qoskind.HostsSlot] = s })
}

// exampleHosts are of three sorts.
const exampleHosts = `name,cpu,memory,attributes,gpus
small-1,16,64,,
small-2,16,64,,
large-1,64,256,disk=ssd,
large-2,64,256,disk=ssd,
gpu-1,32,128,disk=ssd,4
`
