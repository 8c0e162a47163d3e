// Package server serves a built site the way the static host does: headers and
// what unknown paths give come from netlify.toml, so that what is tried at home
// and in tests is what is published.
package server
