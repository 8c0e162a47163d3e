// Package first includes the first result of a page in the page. The build opens each page with an
// engine whose calls a [Recording] records, and writes questions, answers and the resulting screen
// into the page. In the browser the same questions get their recorded answers before any worker
// starts; all other questions go to the engine. The views do not notice the difference.
package first
