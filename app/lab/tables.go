package lab

import (
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/shell"
	"berth/app/ui"
	"berth/engine/show"
)

// copyTable copies the first table of the comparison to the clipboard.
func (x *exports[I]) copyTable(write func([][]string) string) {
	rows := rowsOf(ui.PaneCompare)
	if len(rows) < 2 {
		shell.Announce(x.lab.Page, "There is no comparison yet. Run the inputs first.")
		return
	}
	shell.Copy(x.lab.Page, write(rows), "The table was copied.", "The browser does not allow copying. Use Figures as CSV instead.")
}

// rowsOf reads the texts of the first table in a pane, heading first.
func rowsOf(pane string) (rows [][]string) {
	table := app.Window().Get("document").Call("querySelector", ".pane-"+pane+" table")
	if !table.Truthy() {
		return nil
	}
	all := table.Get("rows")
	for i := range all.Length() {
		var row []string
		cells := all.Index(i).Get("cells")
		for k := range cells.Length() {
			row = append(row, strings.TrimSpace(cells.Index(k).Get("textContent").String()))
		}
		rows = append(rows, row)
	}
	return rows
}

var markdownEscapes = strings.NewReplacer(`\`, `\\`, "|", `\|`, "\n", " ", "<", "&lt;")

// markdownTable writes a table in Markdown; all columns but the first are
// right-aligned.
func markdownTable(rows [][]string) string {
	var b strings.Builder
	for i, row := range rows {
		b.WriteString("|")
		for _, cell := range row {
			b.WriteString(" " + markdownEscapes.Replace(cell) + " |")
		}
		b.WriteString("\n")
		if i == 0 {
			b.WriteString("| :--- |" + strings.Repeat(" ---: |", len(row)-1) + "\n")
		}
	}
	return b.String()
}

// latexTable writes a tabular environment with booktabs rules.
func latexTable(rows [][]string) string {
	var b strings.Builder
	b.WriteString("% \\usepackage{booktabs, amssymb}\n\\begin{tabular}{l" + strings.Repeat("r", len(rows[0])-1) + "}\n\\toprule\n")
	for i, row := range rows {
		b.WriteString(show.Joined(row, " & ", show.LaTeX) + ` \\` + "\n")
		if i == 0 {
			b.WriteString("\\midrule\n")
		}
	}
	b.WriteString("\\bottomrule\n\\end{tabular}\n")
	return b.String()
}
