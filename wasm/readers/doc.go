// Command readers is the engine with readers of every format, a program for Web
// Workers. The page's own program only recognises manifests and networks: their readers
// are an eighth of it, and few visits need them. When a visit does, workers of this
// program replace the others, and everything continues as before.
package main
