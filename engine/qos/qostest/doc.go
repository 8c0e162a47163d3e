// Package qostest tests policies: it generates random scenarios of many kinds and
// compares the two schedulers on them.
package qostest
