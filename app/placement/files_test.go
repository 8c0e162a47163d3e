//go:build !js

package placement

import (
	"slices"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
)

// drop does the same as dropping files that have been read, and paste the same as pasting.
func (b *bench) drop(graphs ...*lab.Source) {
	b.Files.AwaitFiles()
	b.uploads.takeGraphs(b.Files.Own(graphs), anywhere)
	b.settle()
}

// A file that cannot be read changes nothing, for whatever slot and however it arrives. One press
// opens it anyway, so that the user can correct it.
func TestARefusedFileChangesNothing(t *testing.T) {
	texts := map[string]string{
		"broken.dot":    `graph { a [request=-1, limit=2] }`,
		"unended.dot":   `graph { a [request=1`,
		"clusters.dot":  `graph { eu [cpu=none, cpu_cost=1] }`,
		"pods.yaml":     "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: many}\n",
		"letter.txt":    "Dear Sir or Madam,\n",
		"scenario.json": `{"version": 1, "kind": "placement", "placement": {"federacion": {}}}`,
		"study.json":    `{"version": 1, "kind": "experiment", "experiment": {"bases": 3}}`,
		"binary.dot":    "\x00\x01",
	}
	b := open(t)
	b.choose(deployments, lab.TextSource("two.dot", twoJobs))
	b.choose(federation, lab.TextSource("f.dot", twoClusters))
	b.wantDone()
	before := b.Inputs.Clone()
	for name, text := range texts {
		for way, bring := range map[string]func(){
			"drop":       func() { b.drop(lab.TextSource(name, text)) },
			"deployment": func() { b.choose(deployments, b.Files.Own([]*lab.Source{lab.TextSource(name, text)})...) },
			"more":       func() { b.choose(more, b.Files.Own([]*lab.Source{lab.TextSource(name, text)})...) },
			"federation": func() { b.choose(federation, b.Files.Own([]*lab.Source{lab.TextSource(name, text)})...) },
			"joined":     func() { b.choose(joined, b.Files.Own([]*lab.Source{lab.TextSource(name, text)})...) },
			"paste":      func() { b.uploads.paste(text); b.settle() },
		} {
			b.Complaint = ""
			bring()
			if !b.Inputs.SameWork(before) || !strings.Contains(strings.ToLower(b.Complaint), "nothing was changed") {
				t.Errorf("%s by %s: complained %q, %d deployments, phase %s", name, way, b.Complaint, len(b.Inputs.deployments), b.Phase)
			}
			b.wantDone()
		}
	}
}

// A federation that is chosen as a deployment changes nothing, and a deployment chosen as a
// federation does not either.
func TestAFileInTheWrongPlaceChangesNothing(t *testing.T) {
	b := open(t)
	before := b.Inputs.Clone()
	b.choose(deployments, lab.TextSource("f.dot", twoClusters))
	b.choose(federation, lab.TextSource("two.dot", twoJobs))
	if !b.Inputs.SameWork(before) || !strings.Contains(b.Complaint, "Nothing was changed") {
		t.Errorf("complained %q", b.Complaint)
	}
}

// A corrected file replaces the one with its name, and Undo restores the old one.
func TestAFileReplacesTheOneOfItsName(t *testing.T) {
	b := open(t)
	b.drop(lab.TextSource("emoji.dot", twoJobs), lab.TextSource("other.dot", oneJob))
	b.drop(lab.TextSource("f.dot", twoClusters))
	first := b.Inputs.deployments[0]
	mended := lab.TextSource("emoji.dot", strings.Replace(twoJobs, "latency=20", "latency=30", 1))
	b.drop(mended)
	if got := names(b.Inputs); len(got) != 2 || got[0] != "emoji.dot" || b.Inputs.deployments[0] != mended {
		t.Fatalf("deployments are %q", got)
	}
	b.GoBack()
	if b.Inputs.deployments[0] != first {
		t.Error("Undo did not bring the first file back")
	}
	b.drop(lab.TextSource("twice.dot", oneJob), lab.TextSource("twice.dot", twoJobs))
	if got := names(b.Inputs); len(got) != 4 || got[3] != "twice-2.dot" {
		t.Errorf("files of one name that come together are %q", got)
	}
}

// The rest of an example is marked, and the page asks about it while runs continue; the headline
// names the example. Another file of the user answers the question, in whatever order the files
// arrive.
func TestWhatAnExampleLeaves(t *testing.T) {
	b := open(t)
	if b.Intake.LeftOver() != nil || b.Intake.Borrowed() != "" {
		t.Fatal("an example by itself has left something")
	}
	b.drop(lab.TextSource("one.dot", oneJob))
	b.wantDone()
	x := b.Intake.LeftOver()
	if x == nil || x.Name != federationRole || x.Title != "An online shop on six clusters" {
		t.Fatalf("left is %+v", x)
	}
	if details := b.headline().details; !slices.Contains(details, "This is with the example's federation.") {
		t.Errorf("below the headline it says %q", details)
	}
	if got := b.searches.saved(); strings.Contains(got, "proved optimal") && !strings.Contains(got, "with the example's federation") {
		t.Errorf("of the placement it says %q", got)
	}
	made := func(does, file string) {
		t.Helper()
		for _, r := range b.forms.repairs() {
			if r.Does == does {
				b.Intake.Repair(r)
			}
		}
		b.wantDone()
		if g := append(names(b.Inputs), b.Inputs.files[0].Name); !slices.Contains(g, file) || b.Intake.LeftOver() != nil || !complete(b.result.report(b.shown)) {
			t.Errorf("%s: there are %q: %s", does, g, b.searches.saved())
		}
		b.GoBack()
		b.settle()
	}
	made("Clusters made to fit", "clusters-that-fit.dot")
	b.drop(lab.TextSource("f.dot", twoClusters))
	if x := b.Intake.LeftOver(); x != nil || b.Inputs.files[0].Name != "f.dot" || b.Intake.Borrowed() != "" {
		t.Errorf("with both files left is %+v", x)
	}

	b = open(t)
	b.drop(lab.TextSource("f.dot", twoClusters))
	if x := b.Intake.LeftOver(); x == nil || x.Name != deploymentRole {
		t.Fatalf("left is %+v", x)
	}
	made("Jobs made to fit", "jobs-that-fit.dot")
	b.drop(lab.TextSource("one.dot", oneJob))
	if got := names(b.Inputs); len(got) != 1 || got[0] != "one.dot" || b.Intake.LeftOver() != nil {
		t.Errorf("deployments are %q, left is %+v", got, b.Intake.LeftOver())
	}

	b = clusters(t) // with several files in its federation
	b.drop(lab.TextSource("one.dot", oneJob))
	b.drop(lab.TextSource("eu.yaml", oneNode))
	if len(b.Inputs.files) != 1 || b.Intake.LeftOver() != nil {
		t.Errorf("%d files of the federation, left is %+v", len(b.Inputs.files), b.Intake.LeftOver())
	}
}

// An edited example does not count as the user's file, so the page asks nothing.
func TestAnEditedExampleIsNoQuestion(t *testing.T) {
	b := open(t)
	b.uploads.typed(0, b.Inputs.deployments[0].Text+"\n")
	b.settle()
	if x := b.Intake.LeftOver(); x != nil {
		t.Errorf("left is %+v", x)
	}
}

// Graphs of one federation that arrive together are merged, as on the command line, and a graph of
// another federation replaces them.
func TestGraphsOfAFederationThatComeTogetherAreOne(t *testing.T) {
	parts := func() []*lab.Source {
		return []*lab.Source{
			lab.TextSource("a.dot", `graph { eu [cpu=120, cpu_cost=1] }`),
			lab.TextSource("b.dot", `graph { us [cpu=500, cpu_cost=2] }`),
			lab.TextSource("links.dot", `graph { eu -- us [latency=10, latency_cost=3] }`),
		}
	}
	for way, bring := range map[string]func(*bench){
		"drop":       func(b *bench) { b.drop(parts()...) },
		"drop again": func(b *bench) { b.drop(parts()...); b.drop(parts()[2]) },
		"federation": func(b *bench) { b.choose(federation, b.Files.Own(parts())...) },
	} {
		b := open(t)
		b.drop(lab.TextSource("two.dot", twoJobs))
		bring(b)
		b.wantDone()
		if f := b.result.body().Federation; len(b.Inputs.files) != 3 || f.Clusters != 2 || f.Links != 1 {
			t.Errorf("by %s there are %d files, %d clusters and %d links; want 3, 2 and 1", way, len(b.Inputs.files), f.Clusters, f.Links)
		}
		b.drop(lab.TextSource("f.dot", twoClusters))
		if b.wantDone(); len(b.Inputs.files) != 1 || b.Inputs.files[0].Name != "f.dot" {
			t.Errorf("by %s, another federation makes %d files", way, len(b.Inputs.files))
		}
	}
}

// Settings for jobs, clusters and nodes that the user's files do not have are removed with them,
// and Undo restores everything. A file that removes nothing leaves them.
func TestWhatIsGoneIsDropped(t *testing.T) {
	b := open(t)
	told := func() string { return app.HTMLString(b.Intake.Line()) }
	job, second, cluster := b.jobID(0, 0), b.jobID(0, 1), b.picture.Overview.Clusters[1].ID
	b.pinJob(job, cluster)
	b.Edit("more", func(in *inputs) {
		in.options.Rules = append(in.options.Rules, "at most 6 clusters", pinOf(second, cluster))
		in.options.WhatIf, in.options.Keep = []string{"price " + cluster + " ×1.2", "price " + cluster + " ×0.9"}, true
		in.options.Center = b.picture.Overview.Clusters[0].ID
	})
	b.wantDone()
	before := b.Inputs
	b.drop(lab.TextSource("two.dot", twoJobs), lab.TextSource("f.dot", twoClusters))
	b.wantDone()
	o := b.Inputs.options
	if len(o.Rules) != 1 || o.Rules[0] != "at most 6 clusters" || o.WhatIf != nil || o.Keep || o.Center != "" {
		t.Errorf("left are the rules %q, the changes %q, keep %v, the centre %q", o.Rules, o.WhatIf, o.Keep, o.Center)
	}
	want := "Dropped with what it was about: "
	for _, part := range []string{want, "the rule “" + job + ": only cluster=" + cluster + "”, the rule “" + second, "the change “price " + cluster + " ×0.9”", "the centre “", "“move as few"} {
		if !strings.Contains(told(), part) {
			t.Errorf("it says %q, want %q in it", told(), part)
		}
	}
	b.GoBack()
	b.wantDone()
	if b.Inputs != before || strings.Contains(told(), "Dropped") {
		t.Errorf("one step back it is not as before: %q; it says %q", b.Inputs.options.Rules, told())
	}

	b.Files.TypeIn(b.Inputs.deployments[0], oneJob, func(in *inputs, s *lab.Source) { in.deployments[0] = s })
	b.settle()
	if b.Phase != lab.Failed || len(b.Inputs.options.Rules) != 3 || b.Form.Wrong(ruleID(0)) == "" {
		t.Errorf("while a file is typed the phase is %q, the rules are %q", b.Phase, b.Inputs.options.Rules)
	}
	b.GoBack()
	b.settle()
	b.pinJob(job, "nowhere")
	b.settle()
	if b.Phase != lab.Failed || len(b.Inputs.options.Rules) != 3 || strings.Contains(told(), "Dropped") {
		t.Errorf("with a wrong rule the phase is %q, the rules are %q", b.Phase, b.Inputs.options.Rules)
	}
}

const (
	directed  = `digraph { front [cpu=80, memory=51]; "store" [cpu=60, memory=20]; front -> store [latency=20] }`
	priceless = `graph { eu [cpu=110, memory=900, cpu_cost=0.5]; us [cpu=400, memory=900, cpu_cost=1]; eu -- us [latency=15, bandwidth=100] }`
)

// Of several files the valid ones are taken even if others have errors, and one press repairs all
// errors of one kind. A rule of the example is removed with its job, and Undo restores everything.
func TestFilesAreRepairedInOnePress(t *testing.T) {
	good, clusters := lab.TextSource("two.dot", twoJobs), lab.TextSource("f.dot", twoClusters)
	for _, test := range []struct {
		files   []*lab.Source
		says    string
		repairs []string
	}{
		{[]*lab.Source{good, clusters}, "Read two.dot: a graph in DOT, 2 jobs, 1 link; f.dot: a graph in DOT, 2 clusters, 1 link.", nil},
		{[]*lab.Source{lab.TextSource("d.dot", directed), clusters}, "d.dot has 1 error.", []string{"Read as undirected"}},
		{[]*lab.Source{good, lab.TextSource("p.dot", priceless)}, "p.dot has 3 errors.", []string{"Missing prices are 0"}},
		{[]*lab.Source{lab.TextSource("d.dot", directed), lab.TextSource("p.dot", priceless)}, "d.dot has 1 error; p.dot has 3 errors. Nothing was changed.",
			[]string{"Read as undirected", "Missing prices are 0"}},
	} {
		b := open(t)
		b.pinJob(b.jobID(0, 0), b.picture.Overview.Clusters[1].ID)
		before := b.Inputs
		b.drop(test.files...) // before there is a result with the rule
		if got := app.HTMLString(b.Intake.Line()); !strings.Contains(got, test.says) || !strings.Contains(got, `role="status"`) {
			t.Errorf("it says %q, want %q", got, test.says)
		}
		for _, repair := range test.repairs {
			if got := app.HTMLString(b.Intake.Line()); !strings.Contains(got, repair) {
				t.Errorf("no button %q in %q", repair, got)
			}
			i := slices.IndexFunc(b.forms.repairs(), func(r lab.Repair[*inputs]) bool { return r.Does == repair })
			b.Intake.Repair(b.forms.repairs()[i])
			b.settle()
		}
		b.wantDone()
		if got := app.HTMLString(b.Intake.Line()); strings.Contains(got, "intake-repair") || !strings.Contains(got, "Dropped with what it was about: the rule") {
			t.Errorf("in the end it says %q", got)
		}
		if got := names(b.Inputs); len(got) != 1 || got[0] != test.files[0].Name {
			t.Errorf("the deployments are %q", got)
		}
		for range 1 + len(test.repairs) {
			b.GoBack()
			b.settle()
		}
		b.wantDone()
		if b.Inputs != before {
			t.Errorf("not as before are the deployments %q with the rules %q", names(b.Inputs), b.Inputs.options.Rules)
		}
	}
}
