package store

import "berth/engine/diag"

// What can be wrong with an input.
var (
	archiveSize  = diag.Define(diag.IsTooLarge, "%d bytes: at most %d can be read")
	textBehind   = diag.Define(diag.IsTextBehind, "more text after the end")
	otherFormat  = diag.Define(diag.IsUnexpected, "format is %q: want %q")
	newerArchive = diag.Define(diag.IsVersion, "version %d is newer than this page, which reads up to %d: reload it")
	otherArchive = diag.Define(diag.IsVersion, "version is %d: want %d")
)
