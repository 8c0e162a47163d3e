// Package packed reads the text of files: it unpacks gzip, and what package unpackers
// adds, decodes UTF-16, and limits how much a file may unpack to.
package packed
