package rule

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"berth/engine/diag"
)

// Limits of a text: the number of rules, and the largest number within a rule.
const (
	MaxRules = 1000
	MaxN     = 1_000_000
)

// Error is an error in a text of rules, at a byte offset.
type Error struct {
	Offset int
	*diag.Diagnostic
}

// Unwrap returns the diagnostic with its code.
func (e *Error) Unwrap() error { return e.Diagnostic }

// keywords end a list of jobs. A job or value with one of these names needs quotes.
var keywords = map[string]bool{"by": true, "per": true, "skew": true, "of": true, "only": true, "never": true, "apart": true, "together": true, "spread": true, "at": true}

func delimits(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(`,;:="\`, r) }

// Parse parses rules separated by semicolons or new lines. Its error is an [*Error].
func Parse(text string) ([]Rule, error) {
	p := &parser{text: text}
	p.next()
	var all []Rule
	for {
		for p.is(";") {
			p.next()
		}
		if p.kind == end {
			return all, nil
		}
		if len(all) == MaxRules {
			return nil, &Error{p.at, tooManyRules.New(MaxRules)}
		}
		r, err := p.rule()
		if err == nil && p.kind != end && !p.is(";") {
			err = p.expected("the end of the rule, or a semicolon")
		}
		if err != nil {
			return nil, err
		}
		all = append(all, r)
	}
}

type tokenKind uint8

const (
	end tokenKind = iota
	bare
	quoted
	mark // one of , ; : =
)

// parser is a recursive-descent parser. It holds the current token.
type parser struct {
	text     string
	at, then int // start and end of the token
	kind     tokenKind
	word     string
	err      *Error // set at a quote that is not closed
}

// next moves to the next token. A new line counts as a semicolon.
func (p *parser) next() {
	rest := p.text[p.then:]
	skipped := strings.TrimLeftFunc(rest, func(r rune) bool { return unicode.IsSpace(r) && r != '\n' })
	p.at = p.then + len(rest) - len(skipped)
	switch {
	case skipped == "":
		p.kind, p.word, p.then = end, "", p.at
	case skipped[0] == '\n':
		p.kind, p.word, p.then = mark, ";", p.at+1
	case skipped[0] == '"':
		p.quoted(skipped)
	case strings.IndexByte(`,;:=\`, skipped[0]) >= 0:
		p.kind, p.word, p.then = mark, skipped[:1], p.at+1
	default:
		n := strings.IndexFunc(skipped, delimits)
		if n < 0 {
			n = len(skipped)
		}
		p.kind, p.word, p.then = bare, skipped[:n], p.at+n
	}
}

func (p *parser) quoted(s string) {
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '"':
			p.kind, p.word, p.then = quoted, b.String(), p.at+i+1
			return
		case s[i] == '\\' && i+1 < len(s):
			i++
		}
		b.WriteByte(s[i])
	}
	p.kind, p.word, p.then = quoted, b.String(), len(p.text)
	p.err = &Error{p.at, openQuote.New()}
}

func (p *parser) is(what string) bool { return p.kind == mark && p.word == what }

// keyword consumes the given keyword if it is the current token.
func (p *parser) keyword(word string) bool {
	if p.kind != bare || p.word != word {
		return false
	}
	p.next()
	return true
}

func (p *parser) expected(what string) error {
	found := "the end"
	switch {
	case p.err != nil:
		return p.err
	case p.kind != end:
		found = strconv.Quote(p.text[p.at:p.then])
	}
	return &Error{p.at, diag.Unexpected.New(found, what)}
}

// rule parses one rule. It may begin with jobs and a colon.
func (p *parser) rule() (Rule, error) {
	start := *p
	if jobs, err := p.jobs(); err == nil && len(jobs) > 0 && p.is(":") {
		p.next()
		r, err := p.clause()
		if err == nil && len(r.Jobs) > 0 {
			err = &Error{start.at, jobsTwice.New("apart")}
		}
		r.Jobs = jobs
		return r, err
	}
	*p = start
	return p.clause()
}

const clauses = "only, never, apart, together, at most, at least or spread"

func (p *parser) clause() (r Rule, err error) {
	switch {
	case p.keyword("only"):
		r.Verb = Only
		r.Where, err = p.match()
	case p.keyword("never"):
		r.Verb = Never
		r.Where, err = p.match()
	case p.keyword("apart"):
		r.Verb = Apart
		err = p.by(&r, "by")
	case p.keyword("together"):
		r.Verb = Together
		err = p.by(&r, "by")
	case p.keyword("spread"):
		r.Verb, r.N = Spread, 1
		if err = p.by(&r, "by"); err == nil && p.keyword("skew") {
			r.N, err = p.number()
		}
	case p.keyword("at"):
		return p.amount()
	default:
		err = p.expected(clauses)
	}
	return r, err
}

// amount parses the rest of a rule after "at": "most" or "least", a number and its unit.
func (p *parser) amount() (r Rule, err error) {
	least := p.keyword("least")
	if !least && !p.keyword("most") {
		return r, p.expected(`"most" or "least"`)
	}
	if r.N, err = p.number(); err != nil {
		return r, err
	}
	r.Verb = map[bool]Verb{true: Least, false: Clusters}[least]
	switch {
	case p.keyword("clusters"), p.keyword("cluster"):
	case p.keyword("values"), p.keyword("value"):
		if !p.keyword("of") {
			return r, p.expected(strconv.Quote("of"))
		}
		r.By, err = p.name("an attribute of clusters, such as region")
	case least:
		return r, p.expected(`"clusters" or "values of"`)
	case p.keyword("jobs"), p.keyword("job"):
		r.Verb = Count
		if !p.keyword("of") {
			return r, p.expected(strconv.Quote("of"))
		}
		r.Where, err = p.match()
	case p.keyword("of"):
		r.Verb = Most
		err = p.by(&r, "per")
	default:
		err = p.expected(`"clusters", "values of", "jobs of" or "of"`)
	}
	return r, err
}

// by parses jobs, a preposition and an attribute of clusters.
func (p *parser) by(r *Rule, preposition string) (err error) {
	if r.Jobs, err = p.jobs(); err != nil {
		return err
	}
	if !p.keyword(preposition) {
		return p.expected("a job, or " + strconv.Quote(preposition) + " and an attribute of clusters")
	}
	r.By, err = p.name("an attribute of clusters, such as region")
	return err
}

// jobs parses the selectors before a keyword, a colon or the end.
func (p *parser) jobs() ([]Selector, error) {
	var all []Selector
	for p.kind == quoted || p.kind == bare && !keywords[p.word] || p.is(",") && len(all) > 0 {
		if p.is(",") {
			p.next()
		}
		name, err := p.name("a job")
		if err != nil {
			return nil, err
		}
		s := Selector{Value: name}
		if p.is("=") {
			p.next()
			s.Attribute = name
			if s.Value, err = p.name("a value of " + name); err != nil {
				return nil, err
			}
		}
		if !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	return all, nil
}

func (p *parser) match() (m Match, err error) {
	if m.Attribute, err = p.name("an attribute of clusters, such as region=eu"); err != nil {
		return m, err
	}
	if !p.is("=") {
		return m, p.expected("= and a value of " + m.Attribute)
	}
	for p.is("=") || p.is(",") {
		p.next()
		value, err := p.name("a value of " + m.Attribute)
		if err != nil {
			return m, err
		}
		m.Values = append(m.Values, value)
	}
	return m, nil
}

func (p *parser) name(what string) (string, error) {
	if p.err != nil || p.kind != quoted && (p.kind != bare || keywords[p.word]) {
		return "", p.expected(what)
	}
	word := p.word
	p.next()
	return word, nil
}

func (p *parser) number() (int, error) {
	n, err := strconv.Atoi(p.word)
	if p.kind != bare || err != nil || n < 0 || n > MaxN {
		return 0, p.expected(fmt.Sprintf("a whole number from 0 to %d", MaxN))
	}
	p.next()
	return n, nil
}
