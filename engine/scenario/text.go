package scenario

import "berth/engine/diag"

// What can be wrong with an input.
var (
	otherKind      = diag.Define(diag.IsMisplaced, "does not belong in a scenario of kind %q")
	noVersion      = diag.Define(diag.IsMissing, "missing; this is version %d")
	versionNumber  = diag.Define(diag.IsUnexpected, "found %s, expected a whole number up to %d")
	newerVersion   = diag.Define(diag.IsVersion, "version %d is newer than this Berth, which reads up to version %d; update Berth to open this document")
	unknownVersion = diag.Define(diag.IsVersion, "there is no version %d; this is version %d")
	notMigrated    = diag.Define(diag.IsVersion, "cannot bring the document from version %d to %d: %v")
	notReport      = diag.Define("not-a-report", "not a report: %v")
	reportVersion  = diag.Define(diag.IsVersion, "found %d, expected %d: read it with the Berth that wrote it")
	entryCount     = diag.Define(diag.IsCounts, "has %d entries, expected %d, as %s")
	noTime         = diag.Define(diag.IsEmpty, "is empty, expected a time")
	noEntries      = diag.Define(diag.IsMissing, "missing: expected at least one %s")
	outOfRange     = diag.Define(diag.IsOutOfRange, "found %v, expected a number from %s to %s%s")
	nameAndPolicy  = diag.Define(diag.IsConflict, "given beside the name %q; expected one of the two")
	builtInName    = diag.Define("name-taken", "%s is the name of one that is built in: give yours another")
	noSource       = diag.Define(diag.IsMissing, `needs a "text", a "recipe" or the "name" of a file next to the scenario`)
	notFinite      = diag.Define("not-finite", "found %v, expected a finite number")
	documentSize   = diag.Define(diag.IsTooLarge, "the document has %d bytes; at most %d (%d MiB) are read")
	notText        = diag.Define(diag.IsNotText, "not UTF-8 text")
	emptyDocument  = diag.Define(diag.IsEmpty, "the document is empty; expected %s")
	notJSON        = diag.Define(diag.IsNotJSON, "not JSON: %v")
	otherVersion   = diag.Define(diag.IsVersion, "found %d, expected %d")
	noBody         = diag.Define(diag.IsMissing, "missing: a scenario of kind %q has its %s there")
	textsSize      = diag.Define(diag.IsTooLarge, "the texts have %d bytes together; at most %d (%d MiB) are read")

	noFile        = diag.Define("file-not-found", "the file it refers to was not found: choose it again")
	tooDeep       = diag.Define(diag.IsTooDeep, "%s: nested more than %d deep")
	tooManyValues = diag.Define(diag.IsTooMany, "more than %d values in the document")
	longKey       = diag.Define(diag.IsTooMany, "the key %q has %d characters, at most %d")
)
