// Package packed unpacks files that are packed with Zstandard, xz or bzip2, or that are
// the only one of a ZIP archive, and takes a table in Parquet for packed CSV; gzip is in
// package scenario. Programs that import it read such files wherever they read others.
package packed
