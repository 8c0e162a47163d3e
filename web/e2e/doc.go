// Package e2e tests the built site in Chromium. The handler of `site serve` serves
// it, with the headers of netlify.toml.
//
//	go test ./web/e2e                          # builds the site first
//	BERTH_DIST=dist go test ./web/e2e          # uses a site that is built
//	BERTH_SCREENSHOTS=/tmp/shots go test ./web/e2e
//
// A test opens pages and uses the elements that a visitor sees:
//
//	p := open(t, "/placement", phone, dark)
//	p.upload(testID("file-deployment"), "testdata/deployment.dot")
//	p.click(testID("run"))
//	p.wait(testID("result-status") + `[data-state="done"]`)
//	if got := p.text(testID("result-total-cost")); got != "2 321.2" { ... }
//	p.screenshot("result")
//
// Every page has its own storage, caches and service worker. A test fails at its end
// if the page logged an error, violated the content security policy or sent a request
// to another host; a test that causes errors on purpose removes them with
// p.takeFaults.
package e2e
