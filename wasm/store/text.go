package store

import "berth/engine/diag"

// Errors in an archive.
var (
	archiveSize  = &diag.Code{Name: diag.IsTooLarge, Words: "%d bytes: at most %d can be read"}
	textBehind   = &diag.Code{Name: diag.IsTextBehind, Words: "more text after the end"}
	otherFormat  = &diag.Code{Name: diag.IsUnexpected, Words: "format is %q: want %q"}
	newerArchive = &diag.Code{Name: diag.IsVersion, Words: "version %d is newer than this page, which reads up to %d: reload it"}
	otherArchive = &diag.Code{Name: diag.IsVersion, Words: "version is %d: want %d"}
)
