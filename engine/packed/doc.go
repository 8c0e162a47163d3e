// Package packed unpacks files that are packed with Zstandard, xz or bzip2, or that are
// the only one of a ZIP archive; gzip is in package scenario. Programs that import it read
// such files wherever they read others.
package packed
