//go:build js

package chart

import (
	"fmt"
	"strings"
	"syscall/js"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// node returns a node of a drawing, 20 px wide.
func node(id string, x, y int) string {
	return fmt.Sprintf(`<g id="%s" class="node"><title>%[1]s</title><rect x="%d" y="%d" width="20" height="20"/><text x="%[2]d" y="%[3]d">%[1]s</text></g>`, id, x-10, y-10)
}

// some is a drawing with content that a file could hide in it. The edge is nearer to a than any
// node to its right; b would be nearer than c only if its sideways distance counted once.
var some = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 300"><script>globalThis.ran = 1</script>` +
	`<g id="k" class="cluster"><title>k</title><path d="M5,5h20v20z"/></g>` +
	`<g id="e" class="edge" onclick="globalThis.ran = 2"><title>a--b</title><path d="M110,100L150,100"/></g>` +
	node("a", 100, 100) + node("b", 200, 150) + node("c", 260, 100) + node("d", 100, 200) +
	`<a href="javascript:0"><foreignObject/></a></svg>`

// drawn shows a drawing with its script, and returns the elements that it reports.
func drawn(t *testing.T, svg string) (*shown, *[]Element) {
	t.Helper()
	s, told := &shown{t, app.NewTestEngine()}, new([]Element)
	js.Global().Get("Function").New(`document.body.firstElementChild ?? document.body.append(document.createElement("div"));
		globalThis.berth?.panzoom ?? document.head.append(Object.assign(document.createElement("script"), { src: "/web/assets/panzoom.js" }))`).Invoke()
	s.await("globalThis.berth?.panzoom")
	names := map[string]Name{"a": {Kind: "job", Where: "on k"}, "b": {Kind: "job", In: "k"}, "e": {Kind: "dependency", Title: "a--b", Ends: []string{"a", "b"}}}
	g := &Graph{ID: "it", SVG: svg, Names: NamesOf(names), OnElement: func(_ app.Context, e Element) { *told = append(*told, e) }}
	if err := s.engine.Load(&stage{Chart: func() app.UI { return g }}); err != nil {
		t.Fatal(err)
	}
	s.await(`document.querySelector("#it svg") || document.body.innerText.includes("could not be shown")`)
	return s, told
}

// On an element, the arrow keys go to the nearest element of its kind in their direction. Without
// an element they move the drawing.
func TestKeysReadADrawing(t *testing.T) {
	s, told := drawn(t, some)
	s.want(`document.querySelector("#it [tabindex='0']").id`, "k")
	for _, step := range []struct{ from, key, to string }{
		{"a", "ArrowRight", "c"}, {"a", "ArrowDown", "d"}, {"d", "ArrowUp", "a"}, {"b", "ArrowLeft", "a"}, {"a", "ArrowLeft", "a"}, {"e", "ArrowDown", "e"},
	} {
		s.press("#"+step.from, step.key)
		if got := s.eval("document.activeElement.id"); got != step.to {
			t.Errorf("%s leads from %s to %s, want %s", step.key, step.from, got, step.to)
		}
	}
	*told = nil
	s.press("#a", "Enter")
	s.engine.ConsumeAll()
	if want := (Element{"a", true}); len(*told) == 0 || (*told)[len(*told)-1] != want {
		t.Errorf("Enter tells %+v, want %+v last", *told, want)
	}
	s.want(`document.querySelector("#a").ariaLabel`, "job a on k")
	s.press("#a", "Escape")
	s.want("document.activeElement.id", "it")
}

// An element under the pointer shows its own edges, and a cluster the edges of its nodes.
func TestADrawingShowsTheEdgesOfAnElement(t *testing.T) {
	s, _ := drawn(t, some)
	for id, own := range map[string]string{"a": "e", "k": "e", "e": "e", "c": ""} {
		s.eval(fmt.Sprintf("document.querySelector(%q).focus()", "#"+id))
		s.want(`[...document.querySelectorAll("#it .is-own")].map((e) => e.id).join()`, own)
		s.want(`document.querySelector("#it svg").classList.contains("is-pointed")`, fmt.Sprint(own != ""))
	}
}

// Nothing in a drawing runs or loads anything, and a broken drawing shows an error.
func TestADrawingIsHarmless(t *testing.T) {
	s, _ := drawn(t, some)
	s.want(`document.querySelectorAll("#it :is(script, foreignObject, [onclick], [href])").length`, "0")
	s.eval(`document.querySelector("#e").dispatchEvent(new MouseEvent("click", { bubbles: true }))`)
	s.want("globalThis.ran", "undefined")

	s, _ = drawn(t, strings.TrimSuffix(some, "</svg>"))
	s.want(`document.body.innerText.includes("The drawing could not be shown: it is not valid SVG")`, "true")
}

// A tap a few pixels beside a small box selects it; a click there does not.
func TestAFingerTakesTheJobNearIt(t *testing.T) {
	s, told := drawn(t, some)
	tap := func(kind string) {
		s.eval(fmt.Sprintf(`(() => {
			const box = document.querySelector("#a").getBoundingClientRect(), x = box.left + box.width / 2, y = box.bottom + (44 - Math.min(44, box.height)) / 2 - 1;
			document.querySelector("#it").dispatchEvent(new PointerEvent("click", { bubbles: true, pointerType: %q, clientX: x, clientY: y }));
		})()`, kind))
		s.engine.ConsumeAll()
	}
	before := len(*told)
	tap("mouse")
	if len(*told) != before {
		t.Errorf("a mouse beside the job tells %+v", (*told)[before:])
	}
	tap("touch")
	if got := *told; len(got) == before || got[len(got)-1].ID != "a" {
		t.Errorf("a finger tells %+v, want job a", got)
	}
}
