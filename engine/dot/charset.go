package dot

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"berth/engine/show"
)

// Text returns a .dot file in UTF-8. It decodes a file whose last charset attribute names Latin-1,
// and changes its charset attributes to UTF-8. A file that is already UTF-8 or cannot be decoded is
// returned unchanged; the reader then reports the reason.
func Text(file []byte) []byte {
	p := &problems{src: string(file)}
	if utf8.Valid(file) || !p.toText() {
		return file
	}
	return []byte(charsets.ReplaceAllString(p.src, `${1}"utf-8"`))
}

var charsets = regexp.MustCompile(`(\bcharset"?\s*=\s*)("[^"]*"|[\w.-]+)`)

// isLatin1 reports whether Graphviz treats a charset as Latin-1.
func isLatin1(charset string) bool {
	return slices.Contains([]string{"latin-1", "latin1", "l1", "iso-8859-1", "iso_8859-1", "iso8859-1", "iso-ir-100"}, strings.ToLower(charset))
}

// invalid returns the offset of the first byte that is not UTF-8.
func invalid(s string) int {
	for i, r := range s {
		if r == utf8.RuneError && !strings.HasPrefix(s[i:], string(utf8.RuneError)) {
			return i
		}
	}
	return len(s)
}

// toText decodes the source to UTF-8, by its last charset attribute. In Latin-1, lines that are
// UTF-8 stay unchanged: graphs of one file may differ. If it cannot decode the source, it reports
// the first undecodable byte and returns false.
func (p *problems) toText() bool {
	at, charset := invalid(p.src), ""
	if i := strings.IndexByte(p.src, 0); i >= 0 {
		i = min(i, at)
		p.errorAt(i, notUTF8, p.src[i])
		return false
	}
	if at == len(p.src) {
		return true
	}
	for _, found := range charsets.FindAllStringSubmatch(p.src, -1) {
		charset = strings.Trim(found[2], `"`)
	}
	switch {
	case isLatin1(charset):
		var b strings.Builder
		for line := range strings.Lines(p.src) {
			if utf8.ValidString(line) {
				b.WriteString(line)
				continue
			}
			for i := range len(line) {
				b.WriteRune(rune(line[i])) // each byte is a character
			}
		}
		p.src = b.String()
		return true
	case charset == "" || strings.EqualFold(charset, "utf-8") || strings.EqualFold(charset, "utf8"):
		p.errorAt(at, neitherText, p.src[at])
	default:
		p.errorAt(at, otherCharset, show.Quote(charset))
	}
	return false
}
