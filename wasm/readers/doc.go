// Command readers is the engine with readers of every format, a program for Web
// Workers. The page's own program only recognises manifests and networks: their
// readers are an eighth of it, and few visits need them. When one does, workers of
// this program take the place of the others, and everything goes on as before.
package main
