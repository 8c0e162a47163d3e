package e2e

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"berth/engine/golden"
	"berth/engine/must"
	"berth/engine/placement/placementkind"
	"berth/engine/policy"
	"berth/engine/scenario"
	"berth/engine/script/scripttest"
)

// openStage opens a laboratory, and leaves the workbench that the harness opens.
func openStage(t *testing.T, path string, look option) *tab {
	t.Helper()
	p := open(t, path, look)
	p.waitFor(taken)
	p.click(testID("stage-toggle"))
	p.wait(testID("stage"))
	return p
}

// choosePolicy creates a new policy from a template.
func (p *tab) choosePolicy(template string) {
	p.t.Helper()
	p.waitFor(`document.querySelector("[data-testid=policy-template]")`)
	eval[any](p, fmt.Sprintf(`(() => {
		const list = document.querySelector("[data-testid=policy-template]");
		list.value = %q;
		list.dispatchEvent(new Event("change", { bubbles: true }));
	})()`, template))
}

// writePolicy writes the text of the policy.
func (p *tab) writePolicy(text string) {
	p.t.Helper()
	p.waitFor(`document.querySelector("[data-testid=policy-editor]")`)
	eval[any](p, fmt.Sprintf(`(() => {
		const area = document.querySelector("[data-testid=policy-editor]");
		area.value = %q;
		area.dispatchEvent(new Event("change", { bubbles: true }));
	})()`, text))
}

// A policy is written on the stage, runs and is compared, and an error is shown at its line.
func policyAsText(t *testing.T) {
	p := openStage(t, "/placement", light)
	p.click(testID("stage-policy"))
	p.choosePolicy("cheapest")
	p.waitFor(`document.querySelector("[data-testid=policy-standing]")?.innerText.includes("mine")`)
	p.screenshot("policy-placement")
	p.writePolicy("def score(job, cluster):\n    return cluster.colour\n")
	p.waitFor(`document.querySelector("[data-testid=policy-errors] .diagnostic")?.innerText.includes("2:")`)
	p.takeFaults()
	p.writePolicy("def score(job, cluster):\n    return -cluster.cost\n")
	p.waitFor(`!document.querySelector("[data-testid=policy-errors] .diagnostic") && document.querySelector("[data-testid=policy-standing]")`)
}

// withPolicy returns the shop, placed by a policy that is written as text.
func withPolicy(t *testing.T, name, text string) scenario.Scenario {
	s := example(t, "shop")
	d := *placementkind.Of(s)
	d.Strategies = []placementkind.StrategyRun{{Policy: &policy.Text{Name: name, Text: text}}}
	s.Body = &d
	return s
}

// A link brings a policy that takes long, or much memory in one operation. Another profile names
// it, runs it only on request, and then has the native result. A frame runs no policy without a
// request.
func policyInALink(t *testing.T) {
	asks := func(p *tab, what string) {
		p.waitFor(fmt.Sprintf(`document.querySelector("[data-testid=policy-consent]")?.innerText.includes(%q)`, what))
		p.takeFaults()
	}
	grows := open(t, linkTo(t, withPolicy(t, "grows", "kept = []\ndef order(job):\n    kept.append([0] * (1 << 26))\n    return 0\n")))
	asks(grows, "The policy grows takes more than 512 MiB of memory.")
	slow := withPolicy(t, "slow", "def score(job, cluster):\n    for i in range(150000): pass\n    return cluster.cost\n")
	grows.follow(linkTo(t, slow))
	asks(grows, "The policy slow takes longer than a second.")
	grows.click(testID("policy-run"))
	grows.wantResult(slow)
	grows.waitFor(`!document.querySelector("[data-testid=policy-consent]")`)

	quick := withPolicy(t, "quick", "def score(job, cluster):\n    return cluster.cost\n")
	framed := open(t, "/embed"+linkTo(t, quick))
	asks(framed, "It runs when you press the button.")
	framed.click(testID("policy-run"))
	framed.wantResult(quick)
}

// Texts that use much memory and time, either from the corpus or random ones, give a result, an
// error, or a question whether they may continue. The page survives.
func TestHeavyPoliciesAreAskedAbout(t *testing.T) {
	golden.Long(t)
	t.Parallel()
	ends := func(t *testing.T, link, condition string) {
		t.Parallel()
		p := open(t, link)
		p.waitFor(condition)
		p.click(testID("stage-toggle"))
		p.wait(testID("stage"))
		p.takeFaults()
	}
	const asked = `document.querySelector("[data-testid=policy-consent]")`
	for _, seed := range golden.Seeds(8) {
		random := rand.New(rand.NewPCG(seed, 2))
		genes := make([]int, 3+random.IntN(9))
		for i := range genes {
			genes[i] = random.IntN(scripttest.Genes)
		}
		s := withPolicy(t, "drawn", scripttest.Text("order(job)", genes))
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			ends(t, linkTo(t, s), fmt.Sprintf("%s ?? document.querySelector(`%s[data-scenario=%q]`) ?? document.querySelector(`%s[data-state=error]`)", asked, done, s.Hash(), status))
		})
	}
	links, err := filepath.Glob(filepath.Join(os.Getenv("BERTH_DATA"), "faults", "policies", "*.link"))
	if err != nil || len(links) == 0 {
		t.Log("BERTH_DATA names no folder with the corpus")
	}
	for _, link := range links {
		text := must.Get(os.ReadFile(link))(t)
		t.Run(filepath.Base(link), func(t *testing.T) { ends(t, "/qos#"+strings.TrimSpace(string(text)), asked) })
	}
}

// The panel has no faults and fits every window, in each laboratory, light and dark.
func TestPolicyPanelIsInOrder(t *testing.T) {
	golden.Long(t)
	t.Parallel()
	for _, one := range []struct{ path, template string }{{"/placement", "cheapest"}, {"/qos", "priority"}, {"/federate", "sparrow"}} {
		for name, look := range map[string]option{"light": light, "dark": dark} {
			t.Run(one.path+", "+name, func(t *testing.T) {
				t.Parallel()
				p := openStage(t, one.path, look)
				p.click(testID("stage-policy"))
				p.choosePolicy(one.template)
				p.waitFor(`document.querySelector("[data-testid=policy-standing]")?.innerText.includes("mine")`)
				p.isInspected("policy-" + one.path[1:])
				for size, window := range map[string]option{"wide": wide, "narrow": narrow, "phone": phone} {
					p.resize(window)
					eval[any](p, `document.querySelector("[data-testid=policy-editor]").scrollIntoView({ block: "start" })`)
					p.screenshot("policy-" + one.path[1:] + "-" + size + "-" + name)
				}
				p.fitsEveryWindow("policy of " + one.path)
			})
		}
	}
}
