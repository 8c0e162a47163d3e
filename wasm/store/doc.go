// Package store keeps what a visitor works on: named scenarios, an automatic
// history, results and settings.
//
// A [Store] keeps them in the browser's IndexedDB ([Open]), where they survive a
// reload, or in memory ([Memory]), for tests and for windows where the browser refuses
// to store anything. It does not look into scenarios and reports; the caller provides
// the hash that identifies them, and the times.
//
// Methods block the calling goroutine, so event handlers call them in one of their own.
// Every error of the browser is [ErrUnavailable] or [ErrFull]; after either, no part of
// the change is stored.
package store
