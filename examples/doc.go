// Package examples has the example scenarios that the page opens with one click. list.jsonl lists
// them. Each is a document that the command line also runs: berth run examples/shop.json. The
// graphs and manifests of the documents are also separate files, for users to drop on the page.
package examples
