// Package first lets a page arrive with its first result. The build opens each page
// with an engine that a [Recording] listens to, and writes the questions and answers into
// the page together with what it then shows. In the browser the same questions get
// their recorded answers, before any worker starts; all others go to the engine. The
// views do not notice the difference.
package first
