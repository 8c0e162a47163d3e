// Package qos simulates schedulers that decide which requests run now, on
// which host: driven by the service that each request was promised, or by
// priority (G. Farias da Silva et al., QoS-driven scheduling in the cloud,
// JISA 11:9, 2020, and the thesis of its first author).
//
// A [Policy] is a handful of small functions. Two schedulers carry a policy
// out: the literal one is algorithm 1 as it is printed and the reference, the
// fast one makes the same decisions from an index.
package qos
