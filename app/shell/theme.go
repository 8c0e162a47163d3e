package shell

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/ui"
)

// themeKey is the storage key of the theme. theme.js reads it before the first paint.
const themeKey = "berth.theme"

const (
	themeSystem = ""
	themeLight  = "light"
	themeDark   = "dark"
)

// nextTheme returns the next theme of the switch: first the opposite of the system's theme, so that
// the first press has a visible effect, then the system's theme as a fixed choice, then the system
// setting.
func nextTheme(now string, systemIsDark bool) string {
	system, other := themeLight, themeDark
	if systemIsDark {
		system, other = themeDark, themeLight
	}
	switch now {
	case themeSystem:
		return other
	case other:
		return system
	default:
		return themeSystem
	}
}

func themeName(theme string) string {
	if theme == themeSystem {
		return "system"
	}
	return theme
}

func systemIsDark() bool {
	return app.Window().Call("matchMedia", "(prefers-color-scheme: dark)").Get("matches").Bool()
}

func applyTheme(theme string) {
	ui.Store(themeKey, theme)
	ui.MarkRoot("theme", theme)
}
