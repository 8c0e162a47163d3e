// Package gallery has the figures of the papers as experiments with criteria. Each
// criterion was stated from the text of its paper, which its source names, and is
// judged by what the runs give: nothing here says whether it holds.
//
// An entry has two sizes. The reduced one is for a browser and for continuous
// integration; the full one has the paper's sizes where they are known. Entries are
// documents, in the folder entries.
package gallery
