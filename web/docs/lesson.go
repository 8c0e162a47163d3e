package docs

import (
	"bytes"
	"fmt"
	"html/template"
	"regexp"
	"slices"
	"strings"

	"berth/app/shell"
	"berth/examples"
)

// A lesson has two kinds of blocks. The first puts the stage of an example into a
// frame with this title:
//
//	```stage shop
//	Title of the frame
//	```
//
// The second asks a question about the frame before it:
//
//	```ask SELECTOR (below|above) NUMBER [/REGEXP/]
//	```ask SELECTOR says TEXT
//
// The question is answered when the element of the stage at SELECTOR contains a
// number below or above NUMBER, the first one that REGEXP matches, or contains TEXT:
// the engine computes both from the reader's actions on the stage.
const (
	stageBlock = "stage"
	askBlock   = "ask"
)

var question = regexp.MustCompile(`^(\S+) (?:(below|above) (\d+(?:\.\d+)?)(?: /(.+)/)?|(says) (.+))$`)

// lesson renders a block as HTML.
func lesson(b codeBlock) (string, error) {
	if b.kind == stageBlock {
		address, err := stageOf(b.about)
		return fmt.Sprintf(`<iframe class="lesson-stage" title="%s" src="%s" loading="lazy"></iframe>`+"\n", template.HTMLEscapeString(strings.TrimSpace(b.text)), address), err
	}
	var text bytes.Buffer
	if err := markdown.Convert([]byte(b.text), &text); err != nil {
		return "", err
	}
	parts := question.FindStringSubmatch(b.about)
	if parts == nil {
		return "", fmt.Errorf("ask %s: expected SELECTOR below|above NUMBER [/REGEXP/], or SELECTOR says TEXT", b.about)
	}
	data := fmt.Sprintf(`data-of="%s"`, template.HTMLEscapeString(parts[1]))
	if parts[2] != "" {
		data += fmt.Sprintf(` data-%s="%s" data-match="%s"`, parts[2], parts[3], template.HTMLEscapeString(parts[4]))
	} else {
		data += fmt.Sprintf(` data-says="%s"`, template.HTMLEscapeString(parts[6]))
	}
	return fmt.Sprintf(`<div class="lesson-question" %s>%s<output></output></div>`+"\n", data, text.String()), nil
}

// stageOf returns the URL of the embedded stage of an example.
func stageOf(name string) (string, error) {
	all := examples.List()
	i := slices.IndexFunc(all, func(e examples.Example) bool { return e.Name == name })
	if i < 0 {
		return "", fmt.Errorf("stage %s: there is no such example", name)
	}
	address, err := addressOf(all[i].Scenario)
	return shell.EmbedPath + address, err
}
