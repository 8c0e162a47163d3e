// Package parameter describes the fields that users set: numbers, switches and choices. A
// [Parameter] states once the path in the document, the name, unit, bounds, default and help.
// Flags, checks of documents, forms and tables of pages, dials, sweeps, configurations of engines
// and tables of the documentation are derived from it.
package parameter
