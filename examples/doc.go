// Package examples has the scenarios that open with one click: list.jsonl names them, and each
// is a document, which the command line takes, too: berth run examples/shop.json. The graphs
// and manifests in them are files as well, for people to drop on the page.
package examples
