// Package worker is the engine worker. The page's own program, app/main, calls Serve when it runs
// in a Web Worker. Two programs would share most of their code, so one program for both is a third
// smaller to download, and page and workers share one compiled module.
package worker
