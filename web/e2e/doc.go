// Package e2e drives the built site in Chromium, served with the headers of
// netlify.toml by the handler that `site serve` uses.
//
//	go test ./web/e2e                          # builds the site first
//	BERTH_DIST=dist go test ./web/e2e          # uses a site that is built
//	BERTH_SCREENSHOTS=/tmp/shots go test ./web/e2e
//
// A test opens pages and speaks of what a visitor sees:
//
//	p := open(t, "/placement", phone, dark)
//	p.upload(testID("file-deployment"), "testdata/deployment.dot")
//	p.click(testID("run"))
//	p.wait(testID("result-status") + `[data-state="done"]`)
//	if got := p.text(testID("result-total-cost")); got != "2 321.2" { ... }
//	p.screenshot("result")
//
// Every page has storage, caches and a service worker of its own. When its test
// ends it fails if the page logged an error, broke the content security policy
// or asked anything of another host; a test that causes errors on purpose takes
// them away with p.takeFaults.
package e2e
