// Sets the theme that the visitor chose before the first paint, on every page:
// <html data-theme> is "light" or "dark" then (localStorage "berth.theme"), and absent
// where it is the system's. The switch is in app/shell/theme.go.
"use strict";

try {
  const theme = localStorage.getItem("berth.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // The browser blocks the storage: nothing was chosen.
}
