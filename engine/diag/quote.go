package diag

import (
	"strconv"
	"strings"
)

// Quote quotes what a file says for a message: with an escape for what cannot be
// printed, and cut, since a message has no need of a megabyte.
func Quote(s string) string {
	const most = 60
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "..."
	}
	return strconv.Quote(s)
}

// Shown is [Quote] without the quotes around it.
func Shown(s string) string {
	quoted := Quote(s)
	return quoted[1 : len(quoted)-1]
}
