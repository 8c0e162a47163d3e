// Package qos simulates schedulers that decide at every moment which requests run and
// on which host. A scheduler is driven either by the service promised to each request
// or by its priority (G. Farias da Silva et al., QoS-driven scheduling in the cloud,
// JISA 11:9, 2020, and the thesis of its first author).
//
// A [Policy] is a handful of small functions. Two schedulers run policies: the
// literal scheduler is algorithm 1 as printed and serves as the reference; the fast
// scheduler makes the same decisions from an index.
package qos
