// Package csv writes and reads tables of comma-separated values (RFC 4180, with "\n" at the end of
// a line) that are safe to open in a spreadsheet.
//
// A spreadsheet reads a cell that starts with =, + or - as a formula, and some also read a cell
// that starts with @, a tab, a line break or a full-width form of these signs. [Writer] puts an
// apostrophe before such a cell, as OWASP advises
// (https://owasp.org/www-community/attacks/CSV_Injection), unless it is a number such as -1.5.
// [Unguard] removes the apostrophe, so a reader restores every cell that a Writer wrote.
package csv
