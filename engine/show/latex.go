package show

import "strings"

var latexEscapes = strings.NewReplacer(`\`, `\textbackslash{}`, "{", `\{`, "}", `\}`, "$", `\$`, "&", `\&`, "#", `\#`, "%", `\%`,
	"_", `\_`, "^", `\textasciicircum{}`, "~", `\textasciitilde{}`, "\u00a0", "~", "\u202f", `\,`, "±", `$\pm$`, "×", `$\times$`,
	"−", "$-$", "–", "--", "✓", `\checkmark{}`, "\n", " ")

// LaTeX escapes a text for LaTeX. The document needs the package amssymb for ✓.
func LaTeX(text string) string { return latexEscapes.Replace(text) }
