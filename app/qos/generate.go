package qos

import (
	"berth/app/lab"
	"berth/engine/qos/qoskind"
)

var presetTexts = map[string]string{
	qoskind.Validation1: "validation 1: 80 gold, 80 silver, 96 bronze",
	qoskind.Validation2: "validation 2: 221 silver",
	qoskind.Validation:  "validation: as the paper's test-bed",
	qoskind.GoogleLike:  "like the Google trace of 2011",
	qoskind.Busy:        "hosts of one size, as many as the requests keep so busy",
	qoskind.FirstHour:   "like the hour that the authors published",
}

// presets returns the presets of a generator.
func presets(generator string) (all []lab.Preset) {
	for _, p := range qoskind.Presets(generator) {
		all = append(all, lab.Preset{Name: p, Text: presetTexts[p]})
	}
	return all
}
