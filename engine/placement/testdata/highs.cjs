// Solves the programs of standard input, a JSON array of texts, each in so many seconds. Writes an
// array with the status and the cost of the best solution of each, null where there is none. The
// arguments: module, seconds.
const [module_, seconds] = process.argv.slice(2);
const programs = JSON.parse(require("fs").readFileSync(0, "utf8"));
require(module_)().then((highs) => {
  const solutions = programs.map((text) => {
    const solved = highs.solve(text, { time_limit: Number(seconds), mip_rel_gap: 0, mip_abs_gap: 0 });
    const whole = ([name, column]) => !name.startsWith("x") || Math.abs(column.Primal - Math.round(column.Primal)) < 1e-6;
    const columns = Object.entries(solved.Columns ?? {});
    const found = columns.length > 0 && columns.every(whole);
    return { Status: solved.Status, Cost: found ? solved.ObjectiveValue : null };
  });
  console.log(JSON.stringify(solutions));
});
