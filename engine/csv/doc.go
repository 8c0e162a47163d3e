// Package csv writes tables as comma-separated values (RFC 4180, with "\n" at
// the end of a line), safe to open in a spreadsheet.
//
// A spreadsheet takes a cell that starts with =, + or - as a formula, and some
// take one with @, a tab, the end of a line or a full-width form of these signs.
// [Writer] puts an apostrophe before such a cell, as OWASP advises
// (https://owasp.org/www-community/attacks/CSV_Injection), unless it is a number
// such as -1.5. [Unguard] takes it off again: every cell that a Writer writes is
// read as it was.
package csv
