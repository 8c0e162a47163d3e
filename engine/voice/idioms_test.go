//go:build !js

package voice

import "regexp"

// idioms are phrases that are correct English and that no one would say aloud to a
// colleague. A phrase matches as whole words, in any case, across line breaks.
var idioms = regexp.MustCompile(`(?i)\b(?:` +
	`of which|from which|by which|with which|to which|` +
	`whoever|nobody|but for|likewise|besides|anew|` +
	`stands? beside|stands besides|in the place of|` +
	`what gave|what gives|has come of|have come of|came of|come of|comes of|` +
	`the least of|and no other|nothing of (?:it|them|this|what|the)|` +
	`(?:is|are) said (?:of|to be|as)|` +
	`that are not there any more|is there when|sent home|` +
	`goes all that|in like manner|cannot hold together|` +
	`other(?:wise)? than is|take part in it|` +
	`(?:came|come|comes) to (?:its|their) end|goes by Q|` +
	`for want of|(?:can|cannot|could|to) be had|of before|of anybody|` +
	`not known here|ended without a word|what it has come to` +
	`)\b`)
