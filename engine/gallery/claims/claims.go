// Package claims lists every sentence of the gallery's sources that states a number or an
// order, and the criteria that judge it or the reason why none does. Each source has a
// document in Markdown; rule.md says which sentences count and what a row contains.
package claims

import (
	"embed"
	"regexp"
)

//go:embed *.md
var documents embed.FS

// reference is an entry of a paper, or a criterion of that entry. The criterion may be a
// pattern of path.Match.
var reference = regexp.MustCompile("`((?:thesis|qos|phd|megha)-[0-9.]+(?:-[a-z]+)?)(?:/([^`]+))?`")

// Markdown returns a document, whose name is "rule" or the id of a paper, with links to the
// entries that it names.
func Markdown(name string) ([]byte, error) {
	text, err := documents.ReadFile(name + ".md")
	return reference.ReplaceAll(text, []byte("[$0](/gallery#$1)")), err
}
