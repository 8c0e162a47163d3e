package dot

import (
	"iter"
	"maps"
	"strings"

	"berth/engine/graph"
)

var elementKinds = [...]graph.ElementKind{graph.Job, graph.Dependency, graph.Cluster, graph.Link}

type labelField struct {
	label *graph.LabelType
	index int
}

func (f labelField) name() string { return f.label.Fields[f.index].Name }

// attribute returns the plain attribute that the writer uses for the field.
func (f labelField) attribute() string {
	if attrs := f.label.Fields[f.index].Attrs; len(attrs) > 0 {
		return attrs[0]
	}
	return f.label.Name + "_" + f.name()
}

// vocabulary maps plain attributes to label fields, by kind of element.
type vocabulary [len(elementKinds)]map[string]labelField

// newVocabulary builds the vocabulary from the registry. It also accepts <label>_<field>, unless
// another attribute has that name.
func newVocabulary() *vocabulary {
	v := new(vocabulary)
	for _, on := range elementKinds {
		v[on] = map[string]labelField{}
		for _, l := range graph.Labels(on) {
			for i := range l.Fields {
				for _, a := range l.Fields[i].Attrs {
					v[on][a] = labelField{l, i}
				}
			}
		}
		for _, l := range graph.Labels(on) {
			for i := range l.Fields {
				if a := l.Name + "_" + l.Fields[i].Name; v[on][a].label == nil {
					v[on][a] = labelField{l, i}
				}
			}
		}
	}
	return v
}

// ruleKey is the attribute of a job that holds a rule for this job; rulesKey is the attribute of
// the graph that holds rules.
const (
	ruleKey  = "rule"
	rulesKey = "rules"
)

// attributes lists common attributes that only rules use, by kind of element. Other unknown
// attributes are accepted with a warning.
var attributes = [...][]string{
	graph.Job:     {ruleKey, "group", graph.Current},
	graph.Cluster: {"region", "zone", "provider", "rack", "licence"},
	graph.Link:    nil,
}

// Attribute is a plain attribute of an element.
type Attribute struct {
	Name string
	Unit string // unit of its figure; "" for a pure number or a price
}

// Vocabulary returns the plain attributes that the writer uses for a kind of element,
// in order of registration.
func Vocabulary(on graph.ElementKind) []Attribute {
	var all []Attribute
	for _, l := range graph.Labels(on) {
		for i := range l.Fields {
			all = append(all, Attribute{labelField{l, i}.attribute(), l.Fields[i].Unit})
		}
	}
	return all
}

func (v *vocabulary) elsewhere(attribute string) []string {
	return kindsWith(func(on graph.ElementKind) bool { return v[on][attribute].label != nil })
}

func kindsWith(has func(graph.ElementKind) bool) (kinds []string) {
	for _, on := range elementKinds {
		if has(on) {
			kinds = append(kinds, "a "+on.String())
		}
	}
	return kinds
}

// looksLike reports whether an unknown attribute is probably a misspelt figure: it is or ends in a
// field name (gpu_request), begins with a label name (cpuLimit), or is similar to a known
// attribute, which it returns as meant.
func (v *vocabulary) looksLike(on graph.ElementKind, attribute string) (meant string, ok bool) {
	meant = nearest(attribute, maps.Keys(v[on]))
	for _, l := range graph.Labels(on) {
		rest, found := strings.CutPrefix(attribute, l.Name)
		ok = ok || found && rest != "" && (rest[0] == '_' || 'A' <= rest[0] && rest[0] <= 'Z')
		for _, f := range l.Fields {
			ok = ok || attribute == f.Name || strings.HasSuffix(attribute, "_"+f.Name)
		}
	}
	return meant, ok || meant != ""
}

// nearest returns the candidate with the smallest edit distance from word, up to 1 for short words
// and 2 for longer ones; "" if there is none. Among equally near candidates it returns the
// alphabetically first.
func nearest(word string, candidates iter.Seq[string]) string {
	best, limit := "", 2
	if len(word) <= 4 {
		limit = 1
	}
	for c := range candidates {
		if d := distance(word, c, limit); d < limit || d == limit && (best == "" || c < best) {
			best, limit = c, d
		}
	}
	return best
}

// distance returns the edit distance of a and b (Levenshtein 1966), or some number above limit if
// the distance exceeds limit.
func distance(a, b string, limit int) int {
	if max(len(a)-len(b), len(b)-len(a)) > limit {
		return limit + 1
	}
	var space [40]int // sufficient for all known names
	row := space[:0]
	for j := range len(b) + 1 {
		row = append(row, j)
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replace := diagonal
			if a[i] != b[j] {
				replace++
			}
			diagonal = row[j+1]
			row[j+1] = min(replace, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// graphviz lists Graphviz's own attributes, which Berth ignores.
var graphviz = func() map[string]bool {
	set := map[string]bool{}
	for a := range strings.FieldsSeq(`
_background area arrowhead arrowsize arrowtail bb beautify bgcolor center charset class cluster clusterrank
color colorscheme comment compound concentrate constraint Damping decorate defaultdist dim dimen dir
diredgeconstraints distortion dpi edgehref edgetarget edgetooltip edgeURL epsilon esep fillcolor fixedsize
fontcolor fontname fontnames fontpath fontsize forcelabels gradientangle group head_lp headclip headhref
headlabel headport headtarget headtooltip headURL height href id image imagepath imagepos imagescale inputscale
K key label label_scheme labelangle labeldistance labelfloat labelfontcolor labelfontname labelfontsize labelhref
labeljust labelloc labeltarget labeltooltip labelURL landscape layer layerlistsep layers layerselect layersep
layout len levels levelsgap lhead lheight linelength lp ltail lwidth margin maxiter mclimit mindist minlen mode
model newrank nodesep nojustify normalize notranslate nslimit nslimit1 oneblock ordering orientation outputorder
overlap overlap_scaling overlap_shrink pack packmode pad page pagedir pencolor penwidth peripheries pin pos
quadtree quantum radius rank rankdir ranksep ratio rects regular remincross repulsiveforce resolution root rotate
rotation samehead sametail samplepoints scale searchsize sep shape shapefile showboxes sides size skew smoothing
sortv splines start style stylesheet tail_lp tailclip tailhref taillabel tailport tailtarget tailtooltip tailURL
target TBbalance tooltip truecolor URL vertices viewport voro_margin weight width xdotversion xlabel xlp z`) {
		set[a] = true
	}
	return set
}()
