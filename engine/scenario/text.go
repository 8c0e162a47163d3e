package scenario

import "berth/engine/diag"

// Errors of documents and inputs.
var (
	otherKind      = &diag.Code{Name: diag.IsMisplaced, Words: "does not belong in a scenario of kind %q"}
	noVersion      = &diag.Code{Name: diag.IsMissing, Words: "missing; this is version %d"}
	versionNumber  = &diag.Code{Name: diag.IsUnexpected, Words: "found %s, expected a whole number up to %d"}
	newerVersion   = &diag.Code{Name: diag.IsVersion, Words: "version %d is newer than this Berth, which reads up to version %d; update Berth to open this document"}
	unknownVersion = &diag.Code{Name: diag.IsVersion, Words: "there is no version %d; this is version %d"}
	notReport      = &diag.Code{Name: "not-a-report", Words: "not a report: %s"}
	reportVersion  = &diag.Code{Name: diag.IsVersion, Words: "found %s, expected %d: read it with the Berth that wrote it"}
	entryCount     = &diag.Code{Name: diag.IsCounts, Words: "has %s, expected %d, as %s"}
	noTime         = &diag.Code{Name: diag.IsEmpty, Words: "is empty, expected a time"}
	noEntries      = &diag.Code{Name: diag.IsMissing, Words: "missing: expected at least one %s"}
	outOfRange     = &diag.Code{Name: diag.IsOutOfRange, Words: "found %v, expected a number from %s to %s%s"}
	nameAndPolicy  = &diag.Code{Name: diag.IsConflict, Words: "given beside the name %q; expected one of the two"}
	builtInName    = &diag.Code{Name: "name-taken", Words: "%s is the name of one that is built in: give yours another"}
	noSource       = &diag.Code{Name: diag.IsMissing, Words: `needs a "text", a "recipe" or the "name" of a file next to the scenario`}
	notFinite      = &diag.Code{Name: "not-finite", Words: "found %v, expected a finite number"}
	documentSize   = &diag.Code{Name: diag.IsTooLarge, Words: "the document has %d bytes; at most %d (%d MiB) are read"}
	notText        = &diag.Code{Name: diag.IsNotText, Words: "not UTF-8 text"}
	emptyDocument  = &diag.Code{Name: diag.IsEmpty, Words: "the document is empty; expected %s"}
	otherVersion   = &diag.Code{Name: diag.IsVersion, Words: "found %d, expected %d"}
	missingBody    = &diag.Code{Name: diag.IsMissing, Words: "missing: a scenario of kind %q keeps its %s in this field"}
	textsSize      = &diag.Code{Name: diag.IsTooLarge, Words: "the texts have %d bytes together; at most %d (%d MiB) are read"}

	noFile        = &diag.Code{Name: "file-not-found", Words: "the file it refers to was not found: choose it again"}
	tooDeep       = &diag.Code{Name: diag.IsTooDeep, Words: "%s: nested more than %d deep"}
	tooManyValues = &diag.Code{Name: diag.IsTooMany, Words: "more than %d values in the document"}
	longKey       = &diag.Code{Name: diag.IsTooMany, Words: "the key %q has %d characters, at most %d"}
)
