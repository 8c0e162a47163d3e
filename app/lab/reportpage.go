package lab

import (
	"html"
	"strings"

	"berth/app/chart"
	"berth/app/shell"
	"berth/app/ui"
	"berth/engine/scenario"
	"berth/engine/show"
)

// Carried returns the link to embed in a picture of the result on screen. If the scenario does not
// fit into a link, it announces that and returns "".
func (x *exports[I]) Carried() string {
	d := x.lab.Shown.Document
	if d.Link == "" {
		shell.Announce(x.lab.Page, "The file does not carry its scenario: "+d.NoLink+".")
	}
	return d.Link
}

// SavePage returns the export of the result as an HTML page for readers and printers.
// drawn returns its pictures, and false after an error.
func (x *exports[I]) SavePage(extension string, drawn func() ([]chart.Picture, bool)) Export {
	return Export{"html", "Report as a page", func() {
		pictures, ok := drawn()
		if !ok {
			return
		}
		link, address := x.Carried(), ""
		if link != "" {
			address = addressOf(x.lab.path(), link)
		}
		page := reportPage(x.lab.Runs.shown.Report, pictures, rowsOf(ui.PaneCompare), link, address)
		ui.Download(x.FileName(extension), "text/html", []byte(page))
	}}
}

// ChartsOnScreen returns the visible charts, for [exports.SavePage].
func ChartsOnScreen() ([]chart.Picture, bool) { return chart.OnScreen(), true }

const reportStyle = `body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}
h1{font-size:1.5rem}svg{max-width:100%;height:auto}code{overflow-wrap:anywhere}
table{border-collapse:collapse}th,td{padding:.25rem .75rem;border-bottom:1px solid #ccc;text-align:right}
th:first-child,td:first-child{text-align:left}figure{margin:1.5rem 0}
@media print{body{margin:0;max-width:none;font-size:11pt}figure,tr{break-inside:avoid}}`

// reportPage writes a report as a page that needs no other file and runs no script. The first row
// of comparison is its heading.
func reportPage(r *scenario.Report, pictures []chart.Picture, comparison [][]string, link, address string) string {
	escaped := func(text string) string { return html.EscapeString(show.Words(text)) }
	var b strings.Builder
	b.WriteString("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">" + scenario.CarryInHTML(link))
	b.WriteString("<title>" + escaped(r.Name) + "</title><style>" + reportStyle + "</style></head><body>\n")
	if r.Name != "" {
		b.WriteString("<p>" + escaped(r.Name) + "</p>\n")
	}
	b.WriteString("<h1>" + escaped(r.Headline) + "</h1>\n<p>" + escaped(strings.Join(r.Details, " ")) + "</p>\n")
	for _, p := range pictures {
		b.WriteString("<figure><figcaption>" + escaped(p.Title) + "</figcaption>" + p.SVG + "</figure>\n")
	}
	writeTable(&b, comparison)
	b.WriteString("<p>Scenario <code>" + r.Scenario + "</code><br>Results <code>" + r.Results + "</code><br>Engine " + escaped(r.Engine) + "</p>\n")
	if address != "" {
		b.WriteString("<p><a href=\"" + html.EscapeString(address) + "\">Open it in Berth</a>, or drop this file on the page.</p>\n")
	}
	b.WriteString("</body></html>\n")
	return b.String()
}

// writeTable writes rows as a table of HTML, heading first.
func writeTable(b *strings.Builder, rows [][]string) {
	if len(rows) == 0 {
		return
	}
	cell := "th"
	b.WriteString("<table>\n")
	for _, row := range rows {
		b.WriteString("<tr>")
		for _, text := range row {
			b.WriteString("<" + cell + ">" + html.EscapeString(text) + "</" + cell + ">")
		}
		b.WriteString("</tr>\n")
		cell = "td"
	}
	b.WriteString("</table>\n")
}
