// Package parameter has the rows that say once what a field is that users set, be it a
// number, a switch or a choice: its path in the document, its name, unit, bounds, default
// and help. Flags, checks of documents, forms and tables of a page, dials, sweeps,
// configurations of engines and tables of the documentation are made of them.
package parameter
