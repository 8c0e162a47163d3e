// Package examples has the scenarios that open with one click, and the graphs
// they are made of. The .json files beside it are the same scenarios for the
// command line: berth run examples/shop.json. In kubernetes are the manifests of a
// shop and the nodes of three clusters, for berth place.
package examples
