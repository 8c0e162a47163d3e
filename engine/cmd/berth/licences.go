package main

import _ "embed"

// licences are those of what this program carries of the work of others, on every
// platform. go test ./web/licences -update writes them.
//
//go:embed licences.txt
var licences string
