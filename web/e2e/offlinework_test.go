package e2e

import (
	"fmt"
	"path/filepath"
	"testing"
)

func TestJourneyOffline(t *testing.T) {
	t.Parallel()
	site := serve(t, dist(t))
	p := openAt(t, site.URL, "/", keepsSite)
	p.wait(done)
	p.press("w")
	lecture := lectureIsMade(t, p)
	p.press("w")
	student := openAt(t, site.URL, "/about", keepsSite) // in another profile
	student.wait(`html[data-offline="ready"]`)
	s := p.uploadSmall()
	p.save("two jobs")
	p.wait(`html[data-offline="ready"]`)
	site.CloseClientConnections()
	site.Close()

	lecturePlays(t, student, lecture)
	p.reload()
	p.wantResult(s)
	if nodes := p.count(testID("result-graph") + " svg .node"); nodes != 2 {
		t.Errorf("%d nodes are drawn offline, want 2", nodes)
	}
	p.pressNamed("^Whole CM$") // now the charts are loaded
	p.waitFor(`document.querySelector("[data-testid=explain] canvas")`)
	p.pressNamed("jobs.dot$")
	p.wait(content)
	p.pressNamed("jobs.dot$")
	p.waitFor(fmt.Sprintf("!document.querySelector(%q)", content))
	if _, data := p.export("Report as JSON"); len(data) == 0 {
		t.Error("the report is empty offline")
	}

	for _, name := range []string{"clusters", "backtracking"} {
		other := example(t, name)
		p.navigate("/about")
		p.navigate(linkTo(t, other))
		p.wantResult(other)
	}
	p.visit("Library")
	p.pressNamed("^Open two jobs$")
	p.wantResult(s)

	q := p.another("/placement", keepsSite) // a second tab
	q.wait(done)
}

func TestJourneyUpdate(t *testing.T) {
	t.Parallel()
	dir := copySite(t, dist(t))
	p := openAt(t, serve(t, dir).URL, "/", keepsSite)
	p.wait(done)
	p.wait(`html[data-offline="ready"]`)
	s := p.uploadSmall()

	old := eval[string](p, "goappEnv.BERTH_VERSION")
	for _, name := range []string{"app.js", "app-worker.js"} {
		replaceInFile(t, filepath.Join(dir, name), old, "the-next-version")
	}
	p.reload()
	p.waitForText(".notices", "new version")
	p.wantResult(s)
	p.screenshot("new-version")
	p.pressNamed("^Update$")
	p.waitFor(`goappEnv.BERTH_VERSION == "the-next-version"`)
	p.wantResult(s)
}
