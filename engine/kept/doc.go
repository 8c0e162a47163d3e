// Package kept holds what an earlier build wrote and computed: documents with their figures,
// links, bundles, and a list of what people and programs rely on. Its tests read all of it
// with this build and compare the figures. Nothing rewrites these files, also not -update:
// the program of commit e7f9554c wrote them. A long test builds that program again, and
// compares the numbers of documents that no file has.
package kept
