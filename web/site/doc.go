// Command site makes Berth's static site and serves it. It also packs the module for
// notebooks.
//
//	go run ./web/site build -out dist             # what `make site` runs
//	go run ./web/site serve -addr localhost:8080  # with the headers of netlify.toml
//	go run ./web/site module -out module.zip      # a part of what make release runs
//
// It is a separate native program because a wasm main that also refers to an HTTP
// server doubles in size.
package main
