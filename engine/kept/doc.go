// Package kept holds files that an earlier build wrote: documents with their figures, links,
// bundles, and a list of the names that people and programs rely on. Its tests read the files with
// this build and compare the figures. The program of commit e7f9554c wrote the files, and nothing
// rewrites them, not even -update. A long test builds that program again, and compares the numbers
// of documents that no file has.
package kept
