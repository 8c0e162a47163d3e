package lab

import "testing"

func TestTablesAreCopied(t *testing.T) {
	rows := [][]string{{"strategy", "heuristic", "random ×20"}, {"total cost", "3\u202f033.4", "3 353 ± 45"}, {"a_b | c", "98.5 %", "✓"}}
	markdown := "| strategy | heuristic | random ×20 |\n| :--- | ---: | ---: |\n| total cost | 3\u202f033.4 | 3 353 ± 45 |\n| a_b \\| c | 98.5 % | ✓ |\n"
	if got := markdownTable(rows); got != markdown {
		t.Errorf("Markdown:\n%s", got)
	}
	latex := `% \usepackage{booktabs, amssymb}
\begin{tabular}{lrr}
\toprule
strategy & heuristic & random $\times$20 \\
\midrule
total cost & 3\,033.4 & 3 353 $\pm$ 45 \\
a\_b | c & 98.5 \% & \checkmark{} \\
\bottomrule
\end{tabular}
`
	if got := latexTable(rows); got != latex {
		t.Errorf("LaTeX:\n%s", got)
	}
}
