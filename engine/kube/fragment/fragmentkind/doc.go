// Package fragmentkind defines the scenario kind that packs GPU pods onto nodes under several
// policies (see package fragment): its document, its run and its report. The kind has no page; the
// gallery shows it as an experiment.
package fragmentkind
