package lab

import (
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// modules reads the drawing of a QR code.
func modules(t *testing.T, markup string) (black map[[2]int]bool, side int) {
	t.Helper()
	box := regexp.MustCompile(`viewBox="0 0 (\d+) `).FindStringSubmatch(markup)
	if box == nil {
		t.Fatalf("no code in %.200q", markup)
	}
	side, _ = strconv.Atoi(box[1])
	black = map[[2]int]bool{}
	for _, run := range regexp.MustCompile(`M(\d+) (\d+)h(\d+)v1h-(\d+)z`).FindAllStringSubmatch(markup, -1) {
		x, _ := strconv.Atoi(run[1])
		y, _ := strconv.Atoi(run[2])
		n, _ := strconv.Atoi(run[3])
		for i := range n {
			black[[2]int{x + i, y}] = true
		}
	}
	return black, side
}

// A code has its three corner marks, a quiet margin, and a size that grows with its text (ISO/IEC
// 18004: version v has 17 + 4v modules).
func TestQRCodes(t *testing.T) {
	for length, want := range map[int]int{20: 25, 1400: 17 + 4*28, 2953: 177} {
		black, side := modules(t, QRCode("https://"+strings.Repeat("a", length-8), "x"))
		if side-2*quiet > want || (side-2*quiet-17)%4 != 0 {
			t.Errorf("%d characters give %d modules, want at most %d", length, side-2*quiet, want)
		}
		for _, corner := range [][2]int{{quiet, quiet}, {side - quiet - 7, quiet}, {quiet, side - quiet - 7}} {
			for i := range 7 {
				for k := range 7 {
					ring := min(min(i, k), min(6-i, 6-k)) // ring 0 is black, 1 white, 2 and 3 black
					if black[[2]int{corner[0] + i, corner[1] + k}] != (ring != 1) {
						t.Fatalf("%d characters: the mark at %v is broken at %d, %d", length, corner, i, k)
					}
				}
			}
		}
		for at := range black {
			if min(at[0], at[1]) < quiet || max(at[0], at[1]) >= side-quiet {
				t.Fatalf("a module at %v is in the margin", at)
			}
		}
	}
	if got := QRCode(strings.Repeat("a", 2954), "x"); got != "" {
		t.Errorf("a text that no code can hold gives %.80q", got)
	}
}
