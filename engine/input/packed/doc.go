// Package packed reads the text of files: it unpacks gzip, Zstandard, xz, bzip2 and
// ZIP archives, decodes UTF-16, and limits how much a file may unpack to.
package packed
