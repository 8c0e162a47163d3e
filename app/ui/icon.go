package ui

import "github.com/maxence-charriere/go-app/v10/pkg/app"

// icons holds one SVG path per icon, with a stroke of 2 on a field of 24 by 24.
var icons = map[string]string{
	"berth":    "M3 17c2 0 2 2 4.5 2s2.5-2 4.5-2 2 2 4.5 2 2.5-2 4.5-2M5 14l-1-4h16l-2 4M12 10V3M12 3l5 5",
	"check":    "M4 13l5 5L20 6",
	"chevron":  "M6 9l6 6 6-6",
	"close":    "M5 5l14 14M19 5L5 19",
	"collapse": "M4 4v16M20 12H9M13 8l-4 4 4 4",
	"command":  "M5 4h14a1 1 0 0 1 1 1v14a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1zM8 9l3 3-3 3M13 15h4",
	"copy":     "M9 9h11v12H9zM5 15H4V3h11v1",
	"curve":    "M4 3v17h17M8 15c3 0 3-8 6-8s3 4 6 4",
	"dark":     "M19 14.5A8 8 0 0 1 9.5 5 7.6 7.6 0 1 0 19 14.5z",
	"download": "M12 3v12M7 11l5 5 5-5M4 21h16",
	"error":    "M8 3h8l5 5v8l-5 5H8l-5-5V8zM9 9l6 6M15 9l-6 6",
	"file":     "M6 2h8l5 5v15H6zM14 2v5h5",
	"fit":      "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5",
	"help":     "M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4M12 18v.5M12 2a10 10 0 1 1 0 20 10 10 0 0 1 0-20z",
	"info":     "M12 11v6M12 7v.5M12 2a10 10 0 1 1 0 20 10 10 0 0 1 0-20z",
	"left":     "M15 5l-7 7 7 7",
	"light":    "M12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6L19 19M19 5l-1.4 1.4M6.4 17.6L5 19",
	"lock":     "M6 11h12v10H6zM8 11V7a4 4 0 0 1 8 0v4",
	"minus":    "M5 12h14",
	"past":     "M5 5l7 7-7 7M13 5l7 7-7 7",
	"pause":    "M8 5v14M16 5v14",
	"pin":      "M9 3h6l-1 7 4 3v2H6v-2l4-3zM12 15v6",
	"play":     "M7 4l12 8-12 8z",
	"plus":     "M12 5v14M5 12h14",
	"redo":     "M15 5l5 5-5 5M20 10H9a5 5 0 0 0 0 10h3",
	"right":    "M9 5l7 7-7 7",
	"save":     "M5 3h11l4 4v14H4V4a1 1 0 0 1 1-1zM8 3v5h7V3M8 21v-7h8v7",
	"search":   "M10.5 4a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13zM15.5 15.5L21 21",
	"share":    "M12 15V3M8 7l4-4 4 4M6 11H4v10h16V11h-2",
	"stop":     "M6 6h12v12H6z",
	"system":   "M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zM12 3v18M12 7h6.5M12 11h8.8M12 15h8M12 19h5",
	"table":    "M3 4h18v16H3zM3 10h18M3 15h18M10 4v16",
	"trash":    "M4 6h16M9 6V3h6v3M6 6l1 15h10l1-15M10 10v7M14 10v7",
	"undo":     "M9 5l-5 5 5 5M4 10h11a5 5 0 0 1 0 10h-3",
	"upload":   "M12 16V4M7 9l5-5 5 5M4 21h16",
	"up":       "M5 15l7-7 7 7",
	"warning":  "M12 3l10 18H2zM12 10v5M12 18v.5",
}

// Icon draws an icon in the colour of the surrounding text. Screen readers skip it, so a label must
// say the same.
func Icon(name string) app.UI {
	return app.Raw(`<svg class="icon icon-` + name + `" viewBox="0 0 24 24" aria-hidden="true" focusable="false">` +
		`<path d="` + icons[name] + `"/></svg>`)
}
