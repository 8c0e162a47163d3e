package docs

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"
)

// index is the search index of the documentation, read by web/assets/search.js.
type index struct {
	Sections []indexed        `json:"sections"`
	Words    map[string][]int `json:"words"` // indices of the sections that contain each word
}

// indexed is a section: its URL relative to the index, its page, and its beginning.
type indexed struct {
	URL     string `json:"url"`
	Page    string `json:"page"`
	Title   string `json:"title,omitempty"`
	Excerpt string `json:"excerpt"`
}

const excerptLength = 90

// makeIndex encodes the index of all pages as JSON.
func makeIndex(pages []*Page) ([]byte, error) {
	all := index{Words: map[string][]int{}}
	for _, p := range pages {
		for _, s := range p.sections {
			number := len(all.Sections)
			url := "." + strings.TrimPrefix(p.Path(), "/docs")
			if s.id != "" {
				url += "#" + s.id
			}
			text := s.text
			if s.id == "" {
				text = strings.TrimPrefix(text, p.Title+" ")
			}
			all.Sections = append(all.Sections, indexed{url, p.Title, s.title, excerpt(text)})
			for _, word := range words(p.Title + " " + s.title + " " + s.text) {
				if found := all.Words[word]; len(found) == 0 || found[len(found)-1] != number {
					all.Words[word] = append(found, number)
				}
			}
		}
	}
	return json.Marshal(all)
}

// excerpt is the beginning of a text, cut between words.
func excerpt(text string) string {
	letters := []rune(text)
	if len(letters) <= excerptLength {
		return text
	}
	short := string(letters[:excerptLength])
	return short[:max(strings.LastIndexByte(short, ' '), 1)] + " …"
}

// words returns the searchable words of a text, sorted: letters and digits, in lower
// case, without numbers and single letters.
func words(text string) []string {
	fields := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	fields = slices.DeleteFunc(fields, func(word string) bool {
		letters := []rune(word)
		return len(letters) < 2 || len(letters) > 24 || unicode.IsDigit(letters[0])
	})
	slices.Sort(fields)
	return slices.Compact(fields)
}
