// Package body has what the bodies of scenarios of several kinds share: where
// a text comes from, how problems of a document are told, and what a run gets
// from the world and says of its progress.
package body
