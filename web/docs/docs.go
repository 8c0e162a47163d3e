package docs

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"path"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"berth/app/about"
)

//go:embed pages
var sources embed.FS

//go:embed page.html
var layout string

var page = template.Must(template.New("page").Parse(layout))

// markdown accepts HTML in pages, because the pages are the project's own.
var markdown = goldmark.New(
	goldmark.WithExtensions(extension.Table, extension.DefinitionList),
	goldmark.WithParserOptions(parser.WithAutoHeadingID()),
)

// Page is a page of the documentation.
type Page struct {
	Name   string // "tutorial-qos", at /docs/tutorial-qos; "index" is at /docs
	Title  string
	source []byte // Markdown
	body   template.HTML

	sections []section
	teaches  bool // the page has a stage with questions about it
}

// Path returns the path of the page in the site.
func (p *Page) Path() string {
	if p.Name == "index" {
		return "/docs"
	}
	return "/docs/" + p.Name
}

// order is the order of the table of contents. The articles on algorithms come from app/about.
var order = []string{
	"index", "tutorial-placement", "tutorial-qos", "tutorial-federate", "tutorial-drain", "tutorial-pending", "threads",
	"lesson-placement", "lesson-fairness", "lesson-consistency", "placement", "qos", "federate",
	"experiments", "verdicts", "claims", "taxonomies", "cross-validation", "checklist", "formats", "problems", "command-line", "module", "parameters", "decisions", "performance", "growth",
	"policies", "policy-placement", "policy-qos", "policy-federate", "plug-ins", "architecture", "privacy", "keyboard", "licences",
}

// articles describe the algorithms. Each has a drawing of a file from the tutorials.
var articles = map[string]struct{ html, figure, caption string }{
	"placement": {about.Placement, "placement shop.json", "A placement: boxes are clusters, with the part of each that is in use."},
	"qos":       {about.QoS, "availability three.json", "Mean availability by class under two policies, beside what was promised."},
	"federate":  {about.Federate, "allocation jobs.json", "Which share of the tasks had started after how long."},
}

// alone raises the headings of an article by one level, because Berth shows several articles on one
// page, but the documentation has a page for each.
var alone = strings.NewReplacer("<h2>", "<h1>", "</h2>", "</h1>", "<h3>", "<h2>", "</h3>", "</h2>", `<article class="page"`, "<article")

// Pages reads all embedded pages, in the order of the table of contents.
func Pages() ([]*Page, error) {
	pages := make([]*Page, len(order))
	for i, name := range order {
		p := &Page{Name: name, body: template.HTML(alone.Replace(articles[name].html))}
		if p.body == "" {
			source, err := sources.ReadFile(path.Join("pages", name+".md"))
			if err != nil {
				return nil, err
			}
			p.source = source
		}
		p.Title = p.heading()
		pages[i] = p
	}
	return pages, nil
}

// heading returns the first heading of the page.
func (p *Page) heading() string {
	if p.source == nil {
		_, rest, _ := strings.Cut(string(p.body), "<h1>")
		title, _, _ := strings.Cut(rest, "</h1>")
		return title
	}
	line, _, _ := strings.Cut(string(p.source), "\n")
	return strings.TrimPrefix(line, "# ")
}

type codeBlock struct {
	node        *ast.FencedCodeBlock
	kind, about string // the words after the fence
	text        string
}

// blocks parses a page, and returns its fenced blocks in order.
func (p *Page) blocks() (document ast.Node, all []codeBlock) {
	document = markdown.Parser().Parse(text.NewReader(p.source))
	ast.Walk(document, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if fence, ok := n.(*ast.FencedCodeBlock); ok && entering {
			b := codeBlock{node: fence}
			if fence.Info != nil {
				b.kind, b.about, _ = strings.Cut(string(fence.Info.Segment.Value(p.source)), " ")
			}
			for i := range fence.Lines().Len() {
				line := fence.Lines().At(i)
				b.text += string(line.Value(p.source))
			}
			all = append(all, b)
		}
		return ast.WalkContinue, nil
	})
	return document, all
}

// scriptBlock is the kind of the blocks that run in the page.
const scriptBlock = "js"

// isFile reports whether the block is a file that the page offers for download.
func (b *codeBlock) isFile() bool {
	return b.about != "" && b.kind != "figure" && b.kind != stageBlock && b.kind != askBlock
}

// Site names the parts of the site that the pages use.
type Site struct {
	Style  string // URL of the style sheet
	Theme  string // URL of the script that sets the chosen theme
	Search string // URL of the script that searches
	Lesson string // URL of the script that checks the answers on the stages of lessons
	Icon   string
}

// Render renders all pages and the files that they offer, by path in the site:
// "docs/index.html", "docs/files/shop.dot".
func Render(site Site) (map[string][]byte, error) {
	pages, err := Pages()
	if err != nil {
		return nil, err
	}
	files := offers{}
	for _, p := range pages {
		if p.source != nil {
			p.body, err = p.render(files)
		} else {
			err = p.illustrate(files)
		}
		if err != nil {
			return nil, fmt.Errorf("docs/%s: %w", p.Name, err)
		}
		p.divide()
	}
	if files["docs/search.json"], err = makeIndex(pages); err != nil {
		return nil, err
	}
	for _, p := range pages {
		var out bytes.Buffer
		if err := page.Execute(&out, struct {
			*Page
			Site
			Body    template.HTML
			Pages   []*Page
			Teaches bool
		}{p, site, p.body, pages, p.teaches}); err != nil {
			return nil, err
		}
		files[strings.TrimPrefix(p.Path(), "/")+"/index.html"] = out.Bytes()
	}
	return files, nil
}

// Paths returns the paths in the site of the pages and the files that they offer.
func Paths(files map[string][]byte) []string {
	var all []string
	for name := range files {
		all = append(all, "/"+strings.TrimSuffix(name, "index.html"))
	}
	slices.Sort(all)
	return all
}

// render renders the Markdown of a page, and adds the files that it offers.
func (p *Page) render(files offers) (template.HTML, error) {
	document, blocks := p.blocks()
	for _, b := range blocks {
		if b.kind == stageBlock || b.kind == askBlock {
			html, err := lesson(b)
			if err != nil {
				return "", err
			}
			insert(b, html)
			b.node.Parent().RemoveChild(b.node.Parent(), b.node)
			p.teaches = true
			continue
		}
		if b.kind == scriptBlock {
			insert(b, fmt.Sprintf(`<figure id="%s"></figure>`+"\n"+`<script type="module" src="/%s%s"></script>`+"\n",
				strings.TrimSuffix(b.about, path.Ext(b.about)), offered, b.about))
		}
		if b.isFile() {
			files[offered+b.about] = []byte(b.text)
			insert(b, fmt.Sprintf(`<p class="file"><a href="/%s%s" download>%[2]s</a></p>`+"\n", offered, template.HTMLEscapeString(b.about)))
		}
	}
	for _, b := range blocks {
		if b.kind == "figure" {
			drawing, err := figure(files, b.about, strings.TrimSpace(b.text))
			if err != nil {
				return "", err
			}
			insert(b, drawing)
			b.node.Parent().RemoveChild(b.node.Parent(), b.node)
		}
	}
	if err := openScenarios(document, files); err != nil {
		return "", err
	}
	var out bytes.Buffer
	err := markdown.Renderer().Render(&out, p.source, document)
	return template.HTML(out.String()), err
}

func (p *Page) illustrate(files offers) error {
	article := articles[p.Name]
	drawing, err := figure(files, article.figure, article.caption)
	p.body += template.HTML(drawing)
	return err
}

// offers are the files that pages offer, by path in the site.
type offers map[string][]byte

func (o offers) read(name string) ([]byte, error) {
	text, ok := o[offered+name]
	if !ok {
		return nil, fmt.Errorf("no page before offers %s", name)
	}
	return text, nil
}

// offered is the folder of these files in the site.
const offered = "docs/files/"

// insert puts HTML before a block.
func insert(b codeBlock, html string) {
	raw := ast.NewString([]byte(html))
	raw.SetCode(true) // do not escape
	b.node.Parent().InsertBefore(b.node.Parent(), b.node, raw)
}

// openScenarios turns links to scenario:FILE into links that open the scenario in
// Berth.
func openScenarios(document ast.Node, files offers) error {
	return ast.Walk(document, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		link, ok := n.(*ast.Link)
		if !ok || !entering {
			return ast.WalkContinue, nil
		}
		if name, ok := strings.CutPrefix(string(link.Destination), "scenario:"); ok {
			s, err := open(files, name)
			if err != nil {
				return ast.WalkStop, err
			}
			address, err := addressOf(s)
			if err != nil {
				return ast.WalkStop, err
			}
			link.Destination = []byte(address)
		}
		return ast.WalkContinue, nil
	})
}
