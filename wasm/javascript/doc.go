// Package javascript waits for promises and copies bytes between Go and JavaScript.
package javascript
