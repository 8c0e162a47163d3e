package diag

// Names of codes with several messages.
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
	IsNoNamespace = "namespaces-unknown"
	IsNoLinks     = "no-links"
	IsOther       = "other-attribute"
	IsIgnored     = "ignored-links"
	IsNotHonoured = "not-honoured"
	IsNoLatency   = "no-latency"
)

// Codes that many packages use.
var (
	Missing        = &Code{Name: IsMissing, Words: "missing"}
	MissingName    = &Code{Name: IsMissing, Words: "missing; known: %s"}
	NamedMissing   = &Code{Name: IsMissing, Words: "%s is missing"}
	Twice          = &Code{Name: IsTwice, Words: "given twice"}
	NameTwice      = &Code{Name: IsTwice, Words: "%v is given twice: leave one out"}
	TooMany        = &Code{Name: IsTooMany, Words: "has %d %s, at most %d"}
	Unknown        = &Code{Name: IsUnknown, Words: "%q is unknown: expected one of %s"}
	UnknownOf      = &Code{Name: IsUnknown, Words: "unknown %s %q; known: %s"}
	UnknownOne     = &Code{Name: IsUnknown, Words: "unknown %s %q"}
	Two            = &Code{Name: IsTwice, Words: "there are two %s %q"}
	UnknownField   = &Code{Name: "unknown-field", Words: "unknown field; known: %s"}
	Unexpected     = &Code{Name: IsUnexpected, Words: "found %v, expected %s"}
	UnexpectedText = &Code{Name: IsUnexpected, Words: "found %q, expected %s"}
	OneOfTwo       = &Code{Name: IsConflict, Words: `has both %q and %q; expected one of them`}
	Invalid        = &Code{Name: IsInvalid, Words: "%v"}
	NotJSON        = &Code{Name: IsNotJSON, Words: "not JSON: %s"}
	InvalidPart    = &Code{Name: IsInvalid, Words: "%v: %v"}
	SecondGraph    = &Code{Name: "second-graph", Words: "a second graph: a federation is a single graph, so keep one in the file"}
	NoneOf         = &Code{Name: IsEmpty, Words: "there are no %s in the file"}
	MoreThan       = &Code{Name: IsTooMany, Words: "there are more than %d %s"}
	NoColumn       = &Code{Name: IsMissing, Words: "the column %s is missing"}
	EmptyFile      = &Code{Name: IsEmpty, Words: "the file is empty"}
	OtherFormat    = &Code{Name: IsOtherFormat, Words: "%s"}
	More           = &Code{Name: IsMore, Words: "and %s"}
)
