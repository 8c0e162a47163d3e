// Package worker is the engine worker: app/main calls Serve when it runs in a Web
// Worker and not in a page. One program for both is a third less to fetch than two,
// which would share most of their code, and page and workers share one compiled module.
package worker
