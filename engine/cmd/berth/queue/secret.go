package queue

import "strings"

// secret replaces the credentials of a URL.
const secret = "***"

// Masked returns a text without the credentials of its URLs: the text between a scheme and the last
// @ before a space, a quote or the next URL.
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

// credentials reports whether the text before an @ can be a user, a password or a token, rather
// than a host with a path.
func credentials(text string) bool {
	host, _, path := strings.Cut(text, "/")
	return !path || strings.Contains(host, ":")
}

// Place returns a list of servers without the credentials in their URLs.
func Place(servers string) string { return Masked(withSchemes(servers)) }

// withSchemes adds the scheme nats:// to servers without a scheme, as NATS does, so that messages
// show URLs.
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
