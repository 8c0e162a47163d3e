// Package diag represents problems in inputs. A [Diagnostic] is one problem with its
// position: a [Code], declared with its message by the package that finds the
// problem, and arguments of the message. It implements error, and readers of .dot,
// CSV, JSON and traces return it as such. A [List] holds several diagnostics.
package diag
