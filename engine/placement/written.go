package placement

import "berth/engine/policy"

// Language makes strategies of texts; see package policy.
var Language policy.Language[Plugin]
