package scenario

// DecodeOld is Decode with migrations of a test.
var DecodeOld = decode
