package scenario

// For tests of the package from outside, where the kinds are.
const MaxValues = maxValues

var DecodeOld = decode
