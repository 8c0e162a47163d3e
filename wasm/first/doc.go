// Package first lets a page arrive with its first result: the build opens each page
// with an engine that a [Record] listens to, and writes what was asked and answered
// into the page beside what the page then shows. In the browser the same questions get
// the same answers from there, before any worker is started; all others go to the
// engine. The views do not know the difference.
package first
