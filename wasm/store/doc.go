// Package store stores a visitor's work: named scenarios, an automatic history, results and
// settings.
//
// A [Store] is in the browser's IndexedDB ([Open]), where it survives a reload, or in memory
// ([Memory]), for tests and for windows in which the browser refuses to store anything. It does not
// read scenarios and reports; the caller provides the hash that identifies them, and the times.
//
// Methods block the calling goroutine, so event handlers must call them in a separate one. Every
// error of the browser is [ErrUnavailable], [ErrNewer], [ErrOlder] or [ErrFull]; after any of them,
// no part of the change is stored.
package store
