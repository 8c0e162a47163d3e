package lab

import (
	"fmt"
	"strings"

	"rsc.io/qr"
)

// quiet is the margin of a QR code, in its modules (ISO/IEC 18004).
const quiet = 4

// QRCode draws a text as an SVG of a QR code, black on white in every theme; "" if
// the text is too long. A single path draws each horizontal run of black modules.
func QRCode(text, name string) string {
	code, err := qr.Encode(text, qr.L)
	if err != nil {
		return ""
	}
	var path strings.Builder
	for y := range code.Size {
		for x := 0; x < code.Size; x++ {
			from := x
			for x < code.Size && code.Black(x, y) {
				x++
			}
			if x > from {
				fmt.Fprintf(&path, "M%d %dh%dv1h-%dz", from+quiet, y+quiet, x-from, x-from)
			}
		}
	}
	side := code.Size + 2*quiet
	return fmt.Sprintf(`<svg class="qr" data-testid="qr" role="img" aria-label="%s" viewBox="0 0 %d %d" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h%dv%dH0z"/><path fill="#000" d="%s"/></svg>`,
		name, side, side, side, side, path.String())
}
