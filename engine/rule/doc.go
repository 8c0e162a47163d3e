// Package rule reads and writes the rules that people give a placement beside amounts and
// links, such as "apart web-1 web-2 by region". The words are plain: a job is named by its
// id or by an attribute (group=web), a cluster by an attribute (region=eu), and a cluster's
// own id is the value of its attribute "cluster".
//
//	only region=eu,us                    no job leaves the two
//	api db: never provider=x             these two jobs avoid it
//	apart web-1 web-2 by region          no two of them in one region
//	together api db by zone              all of them in one zone
//	at most 2 of group=web per zone
//	spread group=web by region skew 1    counts differ by 1 at most
//	at most 3 clusters                   are used by all jobs
//	a b: at most 2 values of region      their clusters are in two regions
//	group=web: at least 2 clusters       are used by these
//	at most 4 jobs of licence=oracle     run on such clusters
//
// Several rules are separated by semicolons or new lines.
package rule
