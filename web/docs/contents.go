package docs

import (
	"fmt"
	"html/template"
	"regexp"
	"strings"
)

// section is a heading of a page with the text up to the next heading.
type section struct {
	id, title string // "" for the beginning of a page
	text      string // without markup
}

var (
	h2     = regexp.MustCompile(`(?s)<h2(?: id="([^"]*)")?>(.*?)</h2>`)
	markup = regexp.MustCompile(`(?s)<svg.*?</svg>|<[^>]*>`)
	spaces = regexp.MustCompile(`\s+`)
	others = regexp.MustCompile(`[^a-z0-9]+`)
)

// plain converts HTML to text.
func plain(html string) string {
	return strings.TrimSpace(unescape.Replace(spaces.ReplaceAllString(markup.ReplaceAllString(html, " "), " ")))
}

var unescape = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&quot;", `"`, "&#34;", `"`, "&#39;", "'", "&amp;", "&")

// scrollable lets the keyboard scroll code that is wider than the page.
var scrollable = strings.NewReplacer("<pre>", `<pre tabindex="0">`)

// divide finds the sections of a page, and adds ids to headings that have none.
func (p *Page) divide() {
	html := string(p.body)
	var out strings.Builder
	p.sections = []section{{}}
	last := 0
	for _, at := range h2.FindAllStringSubmatchIndex(html, -1) {
		p.sections[len(p.sections)-1].text = plain(html[last:at[0]])
		out.WriteString(html[last:at[0]])
		title := html[at[4]:at[5]]
		s := section{title: plain(title)}
		if at[2] >= 0 {
			s.id = html[at[2]:at[3]]
		} else {
			s.id = strings.Trim(others.ReplaceAllString(strings.ToLower(s.title), "-"), "-")
		}
		fmt.Fprintf(&out, `<h2 id="%s">%s</h2>`, s.id, title)
		p.sections = append(p.sections, s)
		last = at[1]
	}
	p.sections[len(p.sections)-1].text = plain(html[last:])
	out.WriteString(html[last:])
	p.body = template.HTML(scrollable.Replace(p.listed(out.String())))
}

// listed inserts the list of the page's sections below its title.
func (p *Page) listed(html string) string {
	if len(p.sections) < 3 {
		return html
	}
	var list strings.Builder
	list.WriteString(`</h1>` + "\n" + `<nav class="on-page" aria-label="On this page"><ul>`)
	for _, s := range p.sections[1:] {
		fmt.Fprintf(&list, `<li><a href="#%s">%s</a></li>`, s.id, template.HTMLEscapeString(s.title))
	}
	list.WriteString("</ul></nav>")
	return strings.Replace(html, "</h1>", list.String(), 1)
}
