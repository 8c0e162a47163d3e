//go:build !js

package gallery

import _ "embed"

// recorded is the file of the records.
//
//go:embed recorded.json
var recorded []byte
