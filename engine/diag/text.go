package diag

// Names of codes that are said in several ways.
const (
	IsMissing     = "missing"
	IsEmpty       = "empty"
	IsTwice       = "given-twice"
	IsTooMany     = "too-many"
	IsTooLarge    = "too-large"
	IsUnknown     = "unknown-name"
	IsUnexpected  = "unexpected-value"
	IsOutOfRange  = "out-of-range"
	IsConflict    = "conflicting-fields"
	IsMisplaced   = "misplaced-field"
	IsInvalid     = "invalid-value"
	IsVersion     = "wrong-version"
	IsCounts      = "counts-disagree"
	IsUnordered   = "not-in-order"
	IsTruncated   = "truncated"
	IsSyntax      = "syntax-error"
	IsOtherFormat = "other-format"
	IsBadRule     = "bad-rule"
	IsNotTime     = "not-a-time"
	IsCircle      = "circle"
	IsMore        = "more-problems"
	IsTooDeep     = "nested-too-deep"
	IsNotText     = "not-text"
	IsNotJSON     = "not-json"
	IsNotNumber   = "not-a-number"
	IsTextBehind  = "text-after-end"
	IsNoLabel     = "no-label"
	IsParallel    = "parallel-edges"
	IsApart       = "groups-apart"
	IsUnpriced    = "no-prices"
	IsNoLinks     = "no-links"
	IsOther       = "other-attribute"
	IsIgnored     = "ignored-links"
	IsNotHonoured = "not-honoured"
	IsNoLatency   = "no-latency"
)

// Codes of what is found in documents and files of all sorts.
var (
	Missing        = Define(IsMissing, "missing")
	MissingName    = Define(IsMissing, "missing; known: %s")
	NamedMissing   = Define(IsMissing, "%s is missing")
	Twice          = Define(IsTwice, "given twice")
	NameTwice      = Define(IsTwice, "%v is given twice")
	TooMany        = Define(IsTooMany, "has %d %s, at most %d")
	Unknown        = Define(IsUnknown, "unknown: %q; known: %s")
	UnknownOf      = Define(IsUnknown, "unknown %s %q; known: %s")
	UnknownOne     = Define(IsUnknown, "unknown %s %q")
	Two            = Define(IsTwice, "there are two %s %q")
	UnknownName    = Define(IsUnknown, "%q is unknown: expected one of %s")
	UnknownField   = Define("unknown-field", "unknown field; known: %s")
	Unexpected     = Define(IsUnexpected, "found %v, expected %s")
	UnexpectedText = Define(IsUnexpected, "found %q, expected %s")
	OneOfTwo       = Define(IsConflict, `has both %q and %q; expected one of them`)
	Invalid        = Define(IsInvalid, "%v")
	InvalidPart    = Define(IsInvalid, "%v: %v")
	SecondGraph    = Define("second-graph", "a second graph: a federation is a single graph, so keep one in the file")
	NoneOf         = Define(IsEmpty, "there are no %s in the file")
	MoreThan       = Define(IsTooMany, "there are more than %d %s")
	NoColumn       = Define(IsMissing, "the column %s is missing")
	EmptyFile      = Define(IsEmpty, "the file is empty")
	OtherFormat    = Define(IsOtherFormat, "%s")
	More           = Define(IsMore, "and %s")
)
