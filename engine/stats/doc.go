// Package stats has the statistics that reports and schedulers share, and the
// functions whose bits must not depend on the platform; gonum/stat's do.
package stats
