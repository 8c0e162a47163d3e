// Package packed reads the text of files: it unpacks gzip, Zstandard, xz, bzip2 and ZIP archives,
// decodes UTF-16, and limits the unpacked size.
package packed
