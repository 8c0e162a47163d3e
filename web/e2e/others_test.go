package e2e

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"berth/engine/golden"
	"berth/engine/input/format/sniff"
	"berth/engine/input/packed"
	"berth/engine/must"
)

// others are the folders of the collection whose files are dropped, with the pages for files whose
// format does not determine the page.
var others = []string{"faults/formats", "faults/page", "faults/traces", "swf", "traces", "formats", "openb", "dot", "mesh", "topologies"}

// seen is what a person sees of the page.
type seen struct {
	State, Headline, Intake, Error string
	Repairs                        int
	Picture                        bool
}

// full reports whether there is a picture, or bars of many jobs, with its headline.
func (s *seen) full() bool { return s.State == "done" && s.Picture && s.Headline != "" }

// An experiment opens in the gallery, which has no status.
const seeing = `(() => {
	const visible = (selector) => [...document.querySelectorAll(selector)].find((e) => e.checkVisibility());
	const text = (selector) => visible(selector)?.innerText ?? "";
	const status = visible("[data-testid$=status][data-state]");
	const tall = [...document.querySelectorAll("main svg, main canvas, main [data-testid=cluster-bars], main .cluster-nodes")].some((e) => e.checkVisibility() && e.getBoundingClientRect().height > 100);
	return { State: status?.dataset.state ?? (location.pathname == "/gallery" ? "done" : ""), Headline: text("[data-testid=headline]") || text("h1"),
		Intake: text("[data-testid=intake]") || (location.pathname == "/gallery" ? "opened" : ""), Error: text("[data-testid=error]"),
		Repairs: document.querySelectorAll("[data-testid=intake] [data-testid=intake-repair]").length, Picture: tall };
})()`

// settled waits until the page has answered, at most a minute, and returns how long that took.
func (p *tab) settled() (s seen, took time.Duration) {
	p.t.Helper()
	poll := time.NewTicker(100 * time.Millisecond)
	defer poll.Stop()
	for still, begun := 0, time.Now(); still < 5 && time.Since(begun) < time.Minute; <-poll.C {
		before := s
		s = eval[seen](p, seeing)
		if still++; s != before || s.State == "running" || s.State == "reading" || s.Intake+s.Error == "" {
			still, took = 0, time.Since(begun)
		}
	}
	return s, took
}

// filesOfOthersAreDropped drops the files of the collection. A file dropped after a change of the
// example gives a picture and a headline within two presses, or a sentence that says what it is and
// what to do.
func filesOfOthersAreDropped(t *testing.T) {
	whole, all := 0, 0
	dropOthers(t, func(p *tab, file string, s seen, _ time.Duration) {
		all++
		if s.full() {
			whole++
		} else {
			p.screenshot("dropped-" + filepath.Base(file))
			t.Logf("%s: %+v", file, s)
		}
		if s.Intake+s.Error == "" || s.State == "running" {
			t.Errorf("%s is a dead end: %+v", file, s)
		}
	})
	t.Logf("%d of %d files give a picture with its headline", whole, all)
	if whole*100 < 95*all {
		t.Errorf("%d of %d files give a picture with its headline, want 95 %%", whole, all)
	}
}

// dropOthers drops each file of the collection on its page, after a change of the example, and repairs it with at most two presses.
func dropOthers(tb testing.TB, each func(p *tab, file string, s seen, took time.Duration)) {
	data := golden.Data(tb)
	files := map[string][]string{} // by page
	for _, folder := range others {
		must.Do(tb, filepath.WalkDir(filepath.Join(data, folder), func(path string, e fs.DirEntry, err error) error {
			if err == nil && e.Type().IsRegular() && !strings.HasSuffix(path, ".md") {
				page := pageOf(tb, path)
				files[page] = append(files[page], path)
			}
			return err
		}))
	}
	for page, begin := range map[string]func(p *tab){
		"/": func(p *tab) {
			p.shop()
			p.pick(testID("move-to"), p.value(testID("move-to")+" option:last-child"))
			p.waitFor(`document.querySelector("[data-testid=rules] input") && document.querySelector(` + quote(done) + `)`)
		},
		"/qos": (*tab).validation, "/federate": (*tab).masters,
	} {
		p := open(tb, page)
		for _, file := range files[page] {
			begin(p)
			p.drop(file)
			s, took := p.settled()
			for presses := 0; presses < 2 && !s.full() && s.Repairs > 0; presses++ {
				p.click(testID("intake") + " " + testID("intake-repair"))
				var more time.Duration
				s, more = p.settled()
				took += more
			}
			each(p, strings.TrimPrefix(file, data), s, took)
		}
	}
}

// pageOf returns the page of the laboratory that a file belongs to.
func pageOf(tb testing.TB, path string) string {
	file := must.Get(os.Open(path))(tb)
	defer file.Close()
	info := must.Get(file.Stat())(tb)
	head, _ := io.ReadAll(io.LimitReader(packed.NewText(file, info.Size()), sniff.Most)) // the page reports the error
	switch found := sniff.Look(string(head), sniff.Tasks); {
	case found.Format == nil:
		return "/"
	case found.For&sniff.Tasks != 0:
		return "/federate"
	case found.For&sniff.QoS != 0:
		return "/qos"
	default:
		return "/"
	}
}
