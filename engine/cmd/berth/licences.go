package main

import _ "embed"

// licences contains the licenses of all third-party software in the program, for all platforms. go
// test ./web/licences -update writes the file.
//
//go:embed licences.txt
var licences string
