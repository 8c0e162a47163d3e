// Package qostest holds what every policy must do: random scenarios of all
// kinds, and the suite that compares the two schedulers on them.
package qostest
