package main

import _ "embed"

// licences is the text of the licences of all third-party software in this program, on every
// platform. go test ./web/licences -update writes the file.
//
//go:embed licences.txt
var licences string
