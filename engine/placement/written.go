package placement

import "berth/engine/policy"

// Language turns policy texts into strategies; see package policy.
var Language policy.Language[Plugin]
