package docs

import (
	"strings"
	"testing"
)

func TestBlocksOfLessons(t *testing.T) {
	stage, err := lesson(codeBlock{kind: stageBlock, about: "shop", text: "A shop & its clusters\n"})
	if err != nil || !strings.Contains(stage, `title="A shop &amp; its clusters" src="/embed/placement#s=`) {
		t.Errorf("the stage is %s (%v)", stage, err)
	}
	for about, want := range map[string]string{
		`[data-x] below 25 /refused ([\d]+)/`: `data-of="[data-x]" data-below="25" data-match="refused ([\d]+)"`,
		`[data-x] above 2.5`:                  `data-above="2.5" data-match=""`,
		`[data-x] says taken back`:            `data-says="taken back"`,
	} {
		html, err := lesson(codeBlock{kind: askBlock, about: about, text: "Turn *it*."})
		if err != nil || !strings.Contains(html, want) || !strings.Contains(html, "<em>it</em>") {
			t.Errorf("%s is %s (%v), want %s", about, html, err, want)
		}
	}
	for _, b := range []codeBlock{{kind: stageBlock, about: "nothing"}, {kind: askBlock, about: "[data-x] near 2"}, {kind: askBlock, about: ""}} {
		if html, err := lesson(b); err == nil {
			t.Errorf("%s %q is %s", b.kind, b.about, html)
		}
	}
}
