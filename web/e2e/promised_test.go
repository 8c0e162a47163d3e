package e2e

import (
	"fmt"
	"strings"
	"testing"

	"berth/engine/scenario"
)

// promised are the names that tests outside this repository use. They are part of the contract and
// never change. For each view there are the names on the screen after its first example has run,
// and the names during a long run.
var promised = []struct {
	path   string
	done   string // name of its status
	shown  []string
	during []string
	long   func(testing.TB) scenario.Scenario
}{
	{"/placement", "result-status", []string{
		"file-deployment", "file-federation", "strategy", "run", "result-status", "result-total-cost", "result-graph", "placement-table", "explain",
		"result-bound", "result-gap", "improve", "what-if", "what-if-add", "vary", "share", "save", "theme", "error",
	}, []string{"progress", "cancel", "improve-stop"}, endless},
	{"/qos", "qos-status", []string{
		"qos-workload", "qos-hosts", "qos-overheads", "qos-policy-qos", "qos-policy-priority", "qos-run", "qos-classes", "qos-heatmap", "qos-timeline",
	}, []string{"qos-progress", "qos-cancel"}, long},
	{"/federate", "fed-status", []string{
		"fed-trace", "fed-workers", "fed-gms", "fed-lms", "fed-run", "fed-results", "fed-cdf",
	}, []string{"fed-progress", "fed-cancel"}, endlessMasters},
}

func TestJourneyNames(t *testing.T) {
	t.Parallel()
	for _, view := range promised {
		t.Run(strings.Trim(view.path, "/"), func(t *testing.T) {
			p := open(t, view.path)
			p.wait(testID(view.done) + `[data-state="done"][data-scenario]`)
			for _, name := range view.shown {
				p.wait(testID(name))
			}
			p.click(testID("share"))
			p.wait("dialog[open] " + testID("share-link"))
			p.pressNamed("^Close$")
			p.waitFor(closed)
			link := linkTo(t, view.long(t))
			p.follow(view.path + link[strings.Index(link, "#"):])
			// On a busy machine the page may wait for Run.
			p.waitFor(fmt.Sprintf(`(document.querySelector("[data-testid$=run].wanted")?.click(), document.querySelector(%q))`,
				testID(view.done)+`[data-state="running"]`))
			for _, name := range view.during {
				p.wait(testID(name))
			}
			p.click(testID(view.during[1]))
			p.waitFor(fmt.Sprintf(`!document.querySelector(%q)`, testID(view.during[0])))
		})
	}
	t.Run("placements", func(t *testing.T) {
		p := openExample(t)
		for _, at := range []struct {
			example string
			shown   []string
		}{
			{"clusters-failure", []string{"nodes", "export-karmada", "inferred-dependencies", "what-if-diff"}},
			{"thesis-50", []string{"result-core"}},
		} {
			p.follow(linkTo(t, example(t, at.example)))
			for _, name := range at.shown {
				p.wait(testID(name))
			}
		}
		p.follow(linkTo(t, example(t, "shop")))
		p.waitForScenario(example(t, "shop"))
		p.waitFor(compared)
		p.click(testID("improve"))
		p.wait(testID("improve-chart"))
	})
	t.Run("gallery", func(t *testing.T) {
		p := open(t, "/gallery")
		for _, name := range []string{"gallery-summary", "gallery-entry", "gallery-run", "gallery-verdict"} {
			p.wait(testID(name))
		}
		p.wait(testID("gallery-entry") + "[data-figure][data-verdict]")
		p.click(`[data-figure="megha-6"] ` + testID("gallery-run"))
		for _, name := range []string{"sweep-cancel", "sweep-grid", "sweep-table"} {
			p.wait(testID(name))
		}
	})
	t.Run("library", func(t *testing.T) {
		p := open(t, "/library")
		p.wait(testID("library-list"))
	})
}
