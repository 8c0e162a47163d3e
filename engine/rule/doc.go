// Package rule parses and formats placement rules. Users add these constraints to those of amounts
// and links, as in "apart web-1 web-2 by region". A rule names jobs by id or by attribute
// (group=web) and clusters by attribute (region=eu); the attribute "cluster" is the cluster's id.
//
//	only region=eu,us                    all jobs run in these two regions
//	api db: never provider=x             these two jobs avoid it
//	apart web-1 web-2 by region          no two of them in one region
//	together api db by zone              all of them in one zone
//	at most 2 of group=web per zone
//	spread group=web by region skew 1    counts differ by 1 at most
//	at most 3 clusters                   all jobs together use at most 3
//	a b: at most 2 values of region      their clusters are in at most two regions
//	group=web: at least 2 clusters       these jobs use at least 2
//	at most 4 jobs of licence=oracle     at most 4 jobs run on such clusters
//
// Semicolons or new lines separate rules.
package rule
