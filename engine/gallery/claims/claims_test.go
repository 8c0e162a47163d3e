//go:build !js

package claims

import (
	"bytes"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"berth/engine/federate"
	_ "berth/engine/federate/schedulers"
	"berth/engine/gallery"
	_ "berth/engine/kinds"
	"berth/engine/must"
	"berth/engine/placement"
	"berth/engine/qos"
	"berth/engine/scenario"
	"berth/engine/study"
)

// papers are the sources, by their ids in the gallery.
var papers = []string{"thesis", "qos", "phd", "megha"}

// Each claim names criteria or entries that exist, or gives a reason; and each criterion
// of an entry from these papers is named.
func TestClaimsAndCriteria(t *testing.T) {
	named := map[string]bool{}
	for _, paper := range papers {
		text := must.Get(documents.ReadFile(paper + ".md"))(t)
		for _, row := range rows(string(text)) {
			by := row[len(row)-1]
			refs := reference.FindAllStringSubmatch(by, -1)
			_, reason, none := strings.Cut(by, "none")
			if len(row) != 3 || strings.HasPrefix(reason, " yet") || len(refs) == 0 && (!none || len(reason) < 20) {
				t.Errorf("%s: a row has a place, a claim, and a criterion or a reason: %q", paper, row)
			}
			for _, ref := range refs {
				all := criteria(ref[1])
				i := slices.IndexFunc(all, func(id string) bool { return matches(t, ref[2], id) })
				if all == nil || ref[2] != "" && i < 0 {
					t.Errorf("%s: %s is not there: %q", paper, ref[0], row)
				}
				for _, id := range all {
					named[ref[1]+"/"+id] = named[ref[1]+"/"+id] || matches(t, ref[2], id)
				}
			}
		}
	}
	for _, e := range gallery.List() {
		for _, id := range criteria(e.ID) {
			if slices.Contains(papers, e.Paper) && !named[e.ID+"/"+id] {
				t.Errorf("no claim names %s/%s: add it to engine/gallery/claims/%s.md, to the criteria of our own if no sentence states it", e.ID, id, e.Paper)
			}
		}
	}
}

func matches(t *testing.T, pattern, id string) bool {
	return must.Get(path.Match(pattern, id))(t)
}

// criteria returns the criteria of an entry in both sizes and on each input; nil for an unknown
// entry. The authors' files are empty, because nothing runs.
func criteria(entry string) (ids []string) {
	e, ok := gallery.Lookup(entry)
	if !ok {
		return nil
	}
	files := gallery.AuthorFiles{}
	for _, s := range gallery.Manifest() {
		files[s.ID] = scenario.Source{Name: s.ID, Text: " "}
	}
	for _, on := range e.OnInputs(files) {
		for _, full := range []bool{false, true} {
			for _, c := range study.Of(on.Scenario(full)).Criteria {
				ids = append(ids, c.ID)
			}
		}
	}
	return ids
}

// rows returns the cells of all rows of the tables of a page, without their heads.
func rows(text string) (all [][]string) {
	head := true
	for line := range strings.Lines(text) {
		line, isRow := strings.CutPrefix(strings.TrimSpace(line), "| ")
		if isRow && !head {
			all = append(all, strings.Split(strings.TrimSuffix(line, " |"), " | "))
		}
		head = !isRow && !strings.HasPrefix(line, "|---")
	}
	return all
}

func TestMarkdownLinksEntries(t *testing.T) {
	text, err := Markdown("megha")
	if want := "[`megha-3/median`](/gallery#megha-3)"; err != nil || !bytes.Contains(text, []byte(want)) {
		t.Errorf("the document lacks %s, %v", want, err)
	}
}

// The tables of schedulers on the page on taxonomies have a row for each registered scheduler.
func TestEverySchedulerIsClassified(t *testing.T) {
	page := must.Get(os.ReadFile("../../../web/docs/pages/taxonomies.md"))(t)
	var want []string
	for laboratory, names := range map[string][]string{"placement": placement.Names(), "qos": qos.Names(), "federate": federate.Names()} {
		for _, name := range names {
			want = append(want, laboratory+": "+name)
		}
	}
	slices.Sort(want)
	tables := strings.Split(string(page), "\n| scheduler |")[1:]
	if len(tables) != 2 {
		t.Errorf("%d tables of schedulers, want one of features and one of architectures", len(tables))
	}
	for i, table := range tables {
		var got []string
		for _, row := range rows("| scheduler |" + table) {
			got = append(got, row[0])
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("table %d of web/docs/pages/taxonomies.md has rows for\n%q, want\n%q", i+1, got, want)
		}
	}
}
