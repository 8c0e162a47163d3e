package dot

import "berth/engine/diag"

// What can be wrong with an input.
var (
	bareNode         = diag.Define(diag.IsNoLabel, "%s has no %s: add %s")
	onlyInEdge       = diag.Define("only-in-edge", "%s is named in an edge only and has no %s: add a statement for it with %s")
	keyElsewhere     = diag.Define(diag.IsMisplaced, "%s belongs on %s, not on a %s")
	keyMeant         = diag.Define(diag.IsUnknown, "unknown attribute %s: did you mean %s?")
	unknownKey       = diag.Define(diag.IsUnknown, "unknown attribute %s: a %s may have %s")
	onlyRules        = diag.Define(diag.IsOther, "the attribute %s is neither of Graphviz nor a label; only a rule can use it")
	ignoredKey       = diag.Define(diag.IsOther, "the attribute %s is neither of Graphviz nor a label; Berth ignores it everywhere")
	ignoredLink      = diag.Define(diag.IsIgnored, "%d link does not touch the centre %s and is ignored: the path through the centre replaces it")
	ignoredLinks     = diag.Define(diag.IsIgnored, "%d links do not touch the centre %s and are ignored: paths through the centre replace them")
	behindSubgraph   = diag.Define(diag.IsMisplaced, "%s after a subgraph does not apply to its elements: write node [%s=...] or edge [%s=...] at the start of the subgraph")
	onGraph          = diag.Define(diag.IsMisplaced, "%s belongs on %s, in brackets after its name, and not on the graph")
	notUTF8          = diag.Define(diag.IsNotText, "the byte 0x%02X is not text: a .dot file is text in UTF-8")
	neitherText      = diag.Define(diag.IsNotText, "the byte 0x%02X is not text: a .dot file is text in UTF-8, or in Latin-1 if the graph says charset=latin1")
	otherCharset     = diag.Define(diag.IsNotText, "Berth does not read the charset %s: save the file in UTF-8, or in Latin-1 with charset=latin1")
	otherRole        = diag.Define("wrong-role", "the labels of this graph are those of a %s: expected a %s here")
	toItself         = diag.Define("edge-to-itself", "%s %s itself: ignored")
	noLabel          = diag.Define(diag.IsNoLabel, "%s has no label: add %s")
	noElements       = diag.Define(diag.IsEmpty, `the graph has no %ss: write one as: a [%s]`)
	oneParallel      = diag.Define(diag.IsParallel, "this %s joins two %ss that another one joins already: %s")
	severalParallel  = diag.Define(diag.IsParallel, "%s (this is the first) join two %ss each that another one joins already: %s")
	badFigure        = diag.Define("bad-figure", "%s: %s of %s is %s, which is %s: expected %s")
	syntaxError      = diag.Define(diag.IsSyntax, "syntax error at %s: expected %s")
	endsInside       = diag.Define(diag.IsTruncated, `the file ends inside the graph that begins in line %v: add the missing "}" or statement`)
	emptyFile        = diag.Define(diag.IsEmpty, `the file is empty: expected "graph { ... }"`)
	longDashes       = diag.Define("long-dashes", `a run of more than two dashes is read as "--" (runs in the file: %d)`)
	attributeTwice   = diag.Define(diag.IsTwice, "%s: %s is given twice, in line %v too")
	labelWithoutData = diag.Define(diag.IsNoLabel, `%s: the label %s has no data: write all labels except the last, which is the name, as "type - field:figure"`)
	labelTwice       = diag.Define(diag.IsTwice, "%s: two %s labels on one %s, the first in line %v: leave one out")
	labelElse        = diag.Define(diag.IsMisplaced, "%s: the label %s belongs on %s, not on a %s")
	labelMeant       = diag.Define(diag.IsUnknown, "%s: unknown label %s: did you mean %s?")
	unknownLabel     = diag.Define(diag.IsUnknown, "%s: unknown label %s: a %s may have %s")
	unknownField     = diag.Define(diag.IsUnknown, "%s: %s has no field %s: it has %s")
	fieldTwice       = diag.Define(diag.IsTwice, "%s: %s gives %s twice")
	noFigure         = diag.Define(diag.IsMissing, "%s: %s lacks %s: add %s=..., or %s:... to the label")
	aboveLimit       = diag.Define(diag.IsUnordered, "%s: the %s %s %v is above the %s %v")
	ruleOfNone       = diag.Define("rule-without-job", "%s: no job is %s")
	badRule          = diag.Define(diag.IsBadRule, "rule %s: at character %d: %s")
	openComment      = diag.Define(diag.IsTruncated, `the comment that begins here is never closed: add "*/"`)
	typographicMark  = diag.Define(diag.IsSyntax, "the character %q has no meaning here: write %s")
	directedGraph    = diag.Define("directed-graph", `the graph is directed, and dependencies and links have no direction: write "graph" for "digraph" and "--" for "->"`)
	exponentBare     = diag.Define(diag.IsSyntax, `%s has an exponent: put such a number in quotes`)
	oddNumeral       = diag.Define(diag.IsSyntax, `%s is neither a name nor a number: put it in quotes if it is a name`)
	singleDash       = diag.Define(diag.IsSyntax, `a single "-": an edge is written "--"`)
	openString       = diag.Define(diag.IsTruncated, `the quoted string that begins here is never closed: add a '"'`)
	nothingToJoin    = diag.Define(diag.IsSyntax, `expected a quoted string after "+", which joins two of them`)
	openHTML         = diag.Define(diag.IsTruncated, `the HTML string that begins here is never closed: add a ">", or write text in quotes`)
	bareHash         = diag.Define(diag.IsSyntax, `a value that begins with "#" needs quotes`)
	strayPlus        = diag.Define(diag.IsSyntax, `"+" joins two quoted strings and has no meaning here`)
	strayCharacter   = diag.Define(diag.IsSyntax, "the character %q has no meaning here: put names with such characters in quotes")
)

// IgnoredLinks is for n links that do not touch the centre of a star; its arguments are n
// and the centre.
func IgnoredLinks(n int) *diag.Code {
	if n == 1 {
		return ignoredLink
	}
	return ignoredLinks
}
