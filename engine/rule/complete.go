package rule

import (
	"slices"
	"strings"
)

// Words is the vocabulary of rules: ids of jobs, and attributes of clusters and of
// jobs with their values.
type Words struct {
	Jobs      []string
	OfCluster []Choices
	OfJobs    []Choices
}

// Choices is an attribute with all values that occur.
type Choices struct {
	Name   string
	Values []string
}

// Complete returns each text that extends a text by one possible word. If the text ends within a
// word, that word is completed.
func Complete(text string, w Words) []string {
	at := strings.LastIndexFunc(text, delimits) + 1
	p := completion{words: w}
	for _, token := range tokens(text[:at]) {
		p.take(token)
	}
	var all []string
	for _, next := range p.expected() {
		if strings.HasPrefix(strings.ToLower(next), strings.ToLower(text[at:])) && next != text[at:] {
			all = append(all, text[:at]+next)
		}
	}
	return all
}

// tokens returns the words and punctuation marks of a text.
func tokens(text string) (all []string) {
	p := parser{text: text}
	for p.next(); p.kind != end; p.next() {
		all = append(all, p.word)
	}
	return all
}

// completion tracks the position in a rule to determine the possible next words.
type completion struct {
	words  Words
	colon  bool     // the rule began with jobs and a colon
	verb   string   // "" until the verb
	of     string   // kind of the next word: "jobs", "attribute", "match", "number", "most", "units", "skew", "of attribute", "of", "done"
	values []string // values of the attribute before the last "="
	last   string   // last token
}

func (c *completion) take(token string) {
	last := c.last
	c.last = token
	switch {
	case token == ";":
		*c = completion{words: c.words}
	case token == ":":
		c.colon = true
	case token == "=":
		c.values = c.valuesOf(last)
	case token == ",": // another value or job follows
	case c.verb == "":
		c.begin(token)
	case token == "by" || token == "per":
		c.of = "attribute"
	case token == "skew":
		c.of = "number"
	case (token == "most" || token == "least") && c.verb == "at":
		c.of = "number"
	case c.of == "number":
		c.of = map[bool]string{true: "units", false: "done"}[c.verb == "at"]
	case c.of == "units":
		c.of = map[string]string{"of": "jobs", "jobs": "of", "job": "of", "values": "of attribute", "value": "of attribute"}[token]
	case c.of == "of attribute":
		c.of = "attribute"
	case c.of == "of":
		c.of, c.verb = "match", "match"
	case c.of == "attribute":
		c.of = map[bool]string{true: "skew", false: "done"}[c.verb == "spread"]
	}
}

func (c *completion) begin(token string) {
	switch token {
	case "only", "never":
		c.verb, c.of = token, "match"
	case "apart", "together", "spread":
		c.verb, c.of = token, "jobs"
	case "at":
		c.verb, c.of = token, "most"
	}
}

func (c *completion) valuesOf(attribute string) []string {
	list := c.words.OfCluster
	if c.of == "jobs" || c.verb == "" {
		list = c.words.OfJobs
	}
	i := slices.IndexFunc(list, func(a Choices) bool { return a.Name == attribute })
	if i < 0 {
		return nil
	}
	return list[i].Values
}

// expected returns the possible next words.
func (c *completion) expected() []string {
	preposition := map[string]string{"apart": "by", "together": "by", "spread": "by", "at": "per"}[c.verb]
	switch {
	case c.last == "=" || c.last == "," && c.of == "match":
		return quotedAll(c.values)
	case c.verb == "" && c.colon:
		return clauseWords
	case c.verb == "":
		return append(slices.Clone(clauseWords), c.selectors()...)
	case c.of == "match" && c.last == "only" || c.of == "match" && c.last == "never" || c.of == "match" && c.last == "of":
		return equal(c.words.OfCluster)
	case c.of == "match" || c.of == "done":
		return nil
	case c.of == "jobs":
		return append([]string{preposition}, c.selectors()...)
	case c.of == "attribute":
		return names(c.words.OfCluster)
	}
	return map[string][]string{"most": {"most", "least"}, "number": {"1", "2", "3"}, "units": {"of", "jobs of", "values of", "clusters"}, "of attribute": {"of"}, "of": {"of"}, "skew": {"skew 1"}}[c.of]
}

var clauseWords = []string{"only", "never", "apart", "together", "at most", "at least", "spread"}

func (c *completion) selectors() []string {
	return append(equal(c.words.OfJobs), quotedAll(c.words.Jobs)...)
}

func equal(all []Choices) []string {
	words := names(all)
	for i := range words {
		words[i] += "="
	}
	return words
}

func names(all []Choices) []string {
	words := make([]string, len(all))
	for i, a := range all {
		words[i] = word(a.Name)
	}
	return words
}

func quotedAll(all []string) []string {
	words := make([]string, len(all))
	for i, s := range all {
		words[i] = word(s)
	}
	return words
}
