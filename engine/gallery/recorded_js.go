package gallery

// recorded is the file of the records, which is no part of the page's program.
var recorded []byte

// Fetched gives this program the file recorded.json, before any entry is asked what it
// came to at full size.
func Fetched(file []byte) { recorded = file }
