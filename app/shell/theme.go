package shell

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/ui"
)

// themeKey is where theme.js finds the theme before the first paint.
const themeKey = "berth.theme"

const (
	themeSystem = ""
	themeLight  = "light"
	themeDark   = "dark"
)

// nextTheme is what the switch leads to: first away from what the system
// wants, so that the first press shows, then to the other one, then back to
// the system.
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

// applyTheme shows a theme and keeps it.
func applyTheme(theme string) {
	ui.Store(themeKey, theme)
	root := app.Window().Get("document").Get("documentElement")
	if theme == themeSystem {
		root.Call("removeAttribute", "data-theme")
		return
	}
	root.Call("setAttribute", "data-theme", theme)
}
