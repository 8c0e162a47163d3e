// Package server serves a built site like the static host. Headers and the response to unknown
// paths come from netlify.toml, so that tests see the site as it is published.
package server
