// Package store keeps what a visitor works on: named scenarios, an automatic
// history, results and settings.
//
// A [Store] keeps them in the browser's IndexedDB ([Open]), where they survive a
// reload, or in memory ([Memory]), for tests and for windows where the browser
// refuses to store anything. Scenarios and reports are opaque to it; the hash that
// tells them apart and the times come from the caller.
//
// Methods block the calling goroutine, so event handlers call them in one of
// their own. Every error of the browser is [ErrUnavailable] or [ErrFull]; neither
// leaves half of a change behind.
package store
