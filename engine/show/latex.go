package show

import "strings"

var latexEscapes = strings.NewReplacer(`\`, `\textbackslash{}`, "{", `\{`, "}", `\}`, "$", `\$`, "&", `\&`, "#", `\#`, "%", `\%`,
	"_", `\_`, "^", `\textasciicircum{}`, "~", `\textasciitilde{}`, "\u00a0", "~", "\u202f", `\,`, "±", `$\pm$`, "×", `$\times$`,
	"−", "$-$", "–", "--", "✓", `\checkmark{}`, "\n", " ")

// LaTeX writes a text so that LaTeX prints it; ✓ needs its package amssymb.
func LaTeX(text string) string { return latexEscapes.Replace(text) }
