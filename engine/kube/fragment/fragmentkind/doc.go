// Package fragmentkind is the kind of scenarios that pack pods with GPUs onto nodes under
// policies (see package fragment): its document, how it is run, and its report. It has no
// page of its own; the gallery shows it as an experiment.
package fragmentkind
