package dot

import "berth/engine/diag"

// The errors, warnings and notes about a file.
var (
	bareNode         = &diag.Code{Name: diag.IsNoLabel, Words: "%s has no %s: add %s"}
	onlyInEdge       = &diag.Code{Name: "only-in-edge", Words: "%s is named in an edge only and has no %s: add a statement for it with %s"}
	keyElsewhere     = &diag.Code{Name: diag.IsMisplaced, Words: "%s belongs on %s, not on a %s"}
	keyMeant         = &diag.Code{Name: diag.IsUnknown, Words: "unknown attribute %s: did you mean %s?"}
	unknownKey       = &diag.Code{Name: diag.IsUnknown, Words: "unknown attribute %s: a %s may have %s"}
	onlyRules        = &diag.Code{Name: diag.IsOther, Words: "the attribute %s is neither of Graphviz nor a label; only a rule can use it"}
	ignoredKey       = &diag.Code{Name: diag.IsOther, Words: "the attribute %s is neither of Graphviz nor a label; Berth ignores it everywhere"}
	ignoredLink      = &diag.Code{Name: diag.IsIgnored, Words: "%d link does not touch the centre %s and is ignored: the path through the centre replaces it"}
	ignoredLinks     = &diag.Code{Name: diag.IsIgnored, Words: "%d links do not touch the centre %s and are ignored: paths through the centre replace them"}
	behindSubgraph   = &diag.Code{Name: diag.IsMisplaced, Words: "%s after a subgraph does not apply to its elements: write node [%s=...] or edge [%s=...] at the start of the subgraph"}
	notUsed          = &diag.Code{Name: diag.IsIgnored, Words: "attributes that Berth does not use: %s"}
	onGraph          = &diag.Code{Name: diag.IsMisplaced, Words: "%s belongs on %s, in brackets after its name, and not on the graph"}
	notUTF8          = &diag.Code{Name: diag.IsNotText, Words: "the byte 0x%02X is not text: a .dot file is text in UTF-8"}
	neitherText      = &diag.Code{Name: diag.IsNotText, Words: "the byte 0x%02X is not text: a .dot file is text in UTF-8, or in Latin-1 if the graph says charset=latin1"}
	otherCharset     = &diag.Code{Name: diag.IsNotText, Words: "Berth does not read the charset %s: save the file in UTF-8, or in Latin-1 with charset=latin1"}
	otherRole        = &diag.Code{Name: "wrong-role", Words: "the labels of this graph are those of a %s: expected a %s here"}
	toItself         = &diag.Code{Name: "edge-to-itself", Words: "%s %s itself: ignored"}
	noLabel          = &diag.Code{Name: diag.IsNoLabel, Words: "%s has no label: add %s"}
	noElements       = &diag.Code{Name: diag.IsEmpty, Words: `the graph has no %ss: write one as: a [%s]`}
	oneParallel      = &diag.Code{Name: diag.IsParallel, Words: "this %s joins two %ss that another one joins already: %s"}
	severalParallel  = &diag.Code{Name: diag.IsParallel, Words: "%s (this is the first) join two %ss each that another one joins already: %s"}
	badFigure        = &diag.Code{Name: "bad-figure", Words: "%s: %s of %s is %s, which is %s: expected %s"}
	syntaxError      = &diag.Code{Name: diag.IsSyntax, Words: "syntax error at %s: expected %s"}
	endsInside       = &diag.Code{Name: diag.IsTruncated, Words: `the file ends inside the graph that begins in line %v: add the missing "}" or statement`}
	emptyFile        = &diag.Code{Name: diag.IsEmpty, Words: `the file is empty: expected "graph { ... }"`}
	longDashes       = &diag.Code{Name: "long-dashes", Words: `a run of more than two dashes is read as "--" (runs in the file: %d)`}
	attributeTwice   = &diag.Code{Name: diag.IsTwice, Words: "%s: %s is given twice, in line %v too"}
	labelWithoutData = &diag.Code{Name: diag.IsNoLabel, Words: `%s: the label %s has no data: write all labels except the last, which is the name, as "type - field:figure"`}
	labelTwice       = &diag.Code{Name: diag.IsTwice, Words: "%s: two %s labels on one %s, the first in line %v: leave one out"}
	labelElse        = &diag.Code{Name: diag.IsMisplaced, Words: "%s: the label %s belongs on %s, not on a %s"}
	labelMeant       = &diag.Code{Name: diag.IsUnknown, Words: "%s: unknown label %s: did you mean %s?"}
	unknownLabel     = &diag.Code{Name: diag.IsUnknown, Words: "%s: unknown label %s: a %s may have %s"}
	unknownField     = &diag.Code{Name: diag.IsUnknown, Words: "%s: %s has no field %s: it has %s"}
	fieldTwice       = &diag.Code{Name: diag.IsTwice, Words: "%s: %s gives %s twice"}
	noPrice          = &diag.Code{Name: diag.IsMissing, Words: noFigure.Words, Repair: "freePrices"}
	noFigure         = &diag.Code{Name: diag.IsMissing, Words: "%s: %s lacks %s: add %s=..., or %s:... to the label"}
	aboveLimit       = &diag.Code{Name: diag.IsUnordered, Words: "%s: the %s %s %v is above the %s %v"}
	ruleOfNone       = &diag.Code{Name: "rule-without-job", Words: "%s: no job is %s"}
	badRule          = &diag.Code{Name: diag.IsBadRule, Words: "rule %s: at character %d: %s"}
	openComment      = &diag.Code{Name: diag.IsTruncated, Words: `the comment that begins here is never closed: add "*/"`}
	typographicMark  = &diag.Code{Name: diag.IsSyntax, Words: "the character %q has no meaning here: write %s"}
	directedGraph    = &diag.Code{Name: "directed-graph", Words: `the graph is directed, and dependencies and links have no direction: write "graph" for "digraph" and "--" for "->"`, Repair: "undirected"}
	exponentBare     = &diag.Code{Name: diag.IsSyntax, Words: `%s has an exponent: put such a number in quotes`}
	oddNumeral       = &diag.Code{Name: diag.IsSyntax, Words: `%s is neither a name nor a number: put it in quotes if it is a name`}
	singleDash       = &diag.Code{Name: diag.IsSyntax, Words: `a single "-": an edge is written "--"`}
	openString       = &diag.Code{Name: diag.IsTruncated, Words: `the quoted string that begins here is never closed: add a '"'`}
	nothingToJoin    = &diag.Code{Name: diag.IsSyntax, Words: `expected a quoted string after "+", which joins two of them`}
	openHTML         = &diag.Code{Name: diag.IsTruncated, Words: `the HTML string that begins here is never closed: add a ">", or write text in quotes`}
	bareHash         = &diag.Code{Name: diag.IsSyntax, Words: `a value that begins with "#" needs quotes`}
	strayPlus        = &diag.Code{Name: diag.IsSyntax, Words: `"+" joins two quoted strings and has no meaning here`}
	strayCharacter   = &diag.Code{Name: diag.IsSyntax, Words: "the character %q has no meaning here: put names with such characters in quotes"}
)

// IgnoredLinks returns the code about n links that do not touch the centre of a star.
// Its arguments are n and the centre.
func IgnoredLinks(n int) *diag.Code {
	if n == 1 {
		return ignoredLink
	}
	return ignoredLinks
}
