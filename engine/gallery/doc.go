// Package gallery has the figures of the papers as experiments with criteria. Each
// criterion is stated from the text of its paper, which its source names. Only the
// results of runs decide whether it is met.
//
// An entry has two sizes: the reduced one is for browsers and continuous integration;
// the full one has the paper's sizes where they are known. Entries are documents in
// the folder entries.
package gallery
