// Command readers is the engine with the readers of Kubernetes and of archives, and the language of
// policies, a program for Web Workers. The page's own program only recognises
// manifests, archives and policies that are written as text: their readers are a
// quarter of this program, and few visits need them. When a visit does, workers of
// this program replace the others, and everything continues as before.
package main
