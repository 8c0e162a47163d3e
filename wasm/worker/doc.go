// Package worker is the engine worker. The page's own program, app/main, calls Serve when it runs
// in a Web Worker. One program for both is a third smaller to download than two, which would share
// most of their code, and page and workers share one compiled module.
package worker
