package queue

import "strings"

// secret stands for the credentials of a URL.
const secret = "***"

// Masked is a text without the credentials of URLs in it: what stands between the
// scheme and the last @ before a space, a quote or the next URL.
func Masked(text string) string {
	var b strings.Builder
	for {
		before, after, ok := strings.Cut(text, "://")
		if !ok {
			return b.String() + text
		}
		b.WriteString(before + "://")
		end := len(after)
		if i := strings.IndexAny(after, " \t\r\n\"'`<>"); i >= 0 {
			end = i
		}
		if i := strings.Index(after[:end], "://"); i >= 0 {
			end = strings.LastIndexAny(after[:i], ",;|") + 1
		}
		if at := strings.LastIndexByte(after[:end], '@'); at >= 0 && credentials(after[:at]) {
			b.WriteString(secret)
			after = after[at:]
		}
		text = after
	}
}

// credentials says whether what stands before an @ may be a user, a password or a
// token, and no host with a path.
func credentials(text string) bool {
	host, _, path := strings.Cut(text, "/")
	return !path || strings.Contains(host, ":")
}

// Place says where servers are, without the credentials that their URLs have.
func Place(servers string) string { return Masked(withSchemes(servers)) }

// withSchemes returns a list of servers with the scheme that NATS takes for one that has
// none, so that what they are told by is a URL.
func withSchemes(servers string) string {
	list := strings.Split(servers, ",")
	for i, server := range list {
		if server = strings.TrimSpace(server); !strings.Contains(server, "://") {
			server = "nats://" + server
		}
		list[i] = server
	}
	return strings.Join(list, ",")
}
