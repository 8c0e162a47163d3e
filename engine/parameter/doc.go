// Package parameter has the rows that say once what a number is that users set:
// its path in the document, its name, unit, bounds, default and help. Flags,
// checks of documents, fields of a page, sweeps and tables of the documentation
// are made of them.
package parameter
