// Package server serves a built site as the static host does: headers and the
// response to unknown paths come from netlify.toml, so that we test the site as it is
// published.
package server
