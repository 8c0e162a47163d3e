// Package parquet turns tables in Apache Parquet into CSV: flat columns of every
// physical type, pages of both versions, packed with Snappy, gzip, Zstandard or not at
// all. Nested columns stay empty. It reads row by row, so that it needs the file, and of
// each column a page and a dictionary; whatever the file claims, these are bounded.
// Programs that import it read such tables wherever they read CSV.
//
// Source: the specification of the format, version 2.11, and its Thrift definitions.
package parquet
