// Package qos simulates schedulers that decide at every moment which requests run, and on which
// hosts. Decisions depend either on the service promised to each request or on its priority (G.
// Farias da Silva et al., QoS-driven scheduling in the cloud, JISA 11:9, 2020, and the thesis of
// its first author).
//
// A [Policy] consists of a few small functions. Two schedulers can run a policy. The literal
// scheduler is algorithm 1 as printed and serves as the reference. The fast scheduler uses an index
// to make the same decisions.
package qos
