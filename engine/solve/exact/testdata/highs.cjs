// Solves the linear programs of standard input, a JSON array of texts, and writes
// an array of their optima, null where there is none. The argument is the module.
const load = require(process.argv[2]);
const programs = JSON.parse(require("fs").readFileSync(0, "utf8"));
load().then((highs) => {
  const optima = programs.map((text) => {
    const solved = highs.solve(text, { mip_rel_gap: 0, mip_abs_gap: 0 });
    if (solved.Status === "Optimal") return solved.ObjectiveValue;
    if (solved.Status === "Infeasible") return null;
    throw new Error(solved.Status);
  });
  console.log(JSON.stringify(optima));
});
