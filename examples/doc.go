// Package examples has the scenarios that open with one click, and the graphs
// they are made of. The .json files beside it are the same scenarios for the
// command line: berth run examples/shop.json.
package examples
