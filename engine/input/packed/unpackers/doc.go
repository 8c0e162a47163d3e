// Package unpackers adds Zstandard, xz, bzip2 and ZIP archives with one file to package
// packed. A program that imports it reads such files wherever it reads others.
package unpackers
