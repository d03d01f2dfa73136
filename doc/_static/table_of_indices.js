/* Ten indices of a 3 x 3 table, with their means and adjusted values under permutation.

   The page user_guide/try_a_table has the table and a row for each index; this script fills them in.
   Node can load it too: tests/test_table_of_indices.py compares it with the package. */
"use strict";

const NEGLIGIBLE = 1e-18;

const sum = numbers => numbers.reduce((total, number) => total + number, 0);
const pairs = size => size * (size - 1) / 2;
const nPairs = sizes => sum(sizes.map(pairs));

function tableOf(counts) {
  const rows = counts.map(sum);
  const cols = counts[0].map((_, j) => sum(counts.map(row => row[j])));
  const n = sum(rows);
  const cells = counts.flatMap((row, i) => row.map((count, j) => [count, rows[i], cols[j]]));
  const filled = cells.filter(([count]) => count > 0);
  const isConstant = [rows, cols].some(sizes => {
    const some = sizes.filter(size => size > 0);
    return some.length === 1 || some.length === n;
  });
  return {
    counts, rows, cols, n, cells, isConstant,
    isIdentity: filled.every(([count, row, col]) => count === row && count === col),
  };
}

/* Mean of a function of the number of common objects of two clusters of a and b of n objects: from
   the most probable number to both sides, without factorials, to the same digits for any n. */
function hypergeometricMean(n, a, b, value) {
  const low = Math.max(0, a + b - n), high = Math.min(a, b);
  const mode = Math.min(Math.max(Math.floor((a + 1) * (b + 1) / (n + 2)), low), high);
  const ratio = x => (a - x) * (b - x) / ((x + 1) * (n - a - b + x + 1));
  let total = 1, weighted = value(mode);
  const add = (weight, x) => {
    total += weight;
    weighted += weight * value(x);
    return weight;
  };
  for (let x = mode, weight = 1; x < high && weight > NEGLIGIBLE; x++)
    weight = add(weight * ratio(x), x + 1);
  for (let x = mode, weight = 1; x > low && weight > NEGLIGIBLE; x--)
    weight = add(weight / ratio(x - 1), x - 1);
  return weighted / total;
}

const together = ({cells}) => sum(cells.map(([count]) => pairs(count)));
const meanTogether = ({rows, cols, n}) => nPairs(rows) * nPairs(cols) / pairs(n);

const entropy = (sizes, n) =>
  -sum(sizes.filter(size => size > 0).map(size => size / n * Math.log(size / n)));
const term = (x, row, col, n) => x > 0 ? x / n * Math.log(x * n / (row * col)) : 0;
const information = ({cells, n}) => sum(cells.map(([count, row, col]) => term(count, row, col, n)));
const meanInformation = ({cells, n}) => sum(cells.map(([, row, col]) =>
  hypergeometricMean(n, row, col, x => term(x, row, col, n))));

const squares = ({cells, n}, side) =>
  sum(cells.filter(cell => cell[side] > 0).map(cell => cell[0] ** 2 / cell[side])) / n;
const meanSquares = ({cells, n}, side) =>
  sum(cells.filter(cell => cell[side] > 0).map(([, row, col]) =>
    row * col / n * (1 + (row - 1) * (col - 1) / (n - 1)) / (side === 1 ? row : col))) / n;

const largest = ({counts, n}) =>
  sum(counts[0].map((_, j) => Math.max(...counts.map(row => row[j])))) / n;
const meanLargest = ({rows: [first, second], cols, n}) =>
  sum(cols.map(size => hypergeometricMean(n, first, size, x =>
    hypergeometricMean(n - first, second, size - x, y => Math.max(x, y, size - x - y))))) / n;

/* Each index as [what it counts, its mean under permutation, what it is of that]. */
const INDICES = {
  rand_score: [together, meanTogether, (both, {rows, cols, n}) =>
    [pairs(n) + 2 * both - nPairs(rows) - nPairs(cols), pairs(n)]],
  pair_precision_score: [together, meanTogether, (both, {cols}) => [both, nPairs(cols)]],
  pair_recall_score: [together, meanTogether, (both, {rows}) => [both, nPairs(rows)]],
  fowlkes_mallows_score: [together, meanTogether, (both, {rows, cols}) =>
    [both, Math.sqrt(nPairs(rows) * nPairs(cols)) || nPairs(rows) + nPairs(cols)]],
  normalized_mutual_info_score: [information, meanInformation, (mutual, {rows, cols, n}) =>
    [mutual, (entropy(rows, n) + entropy(cols, n)) / 2]],
  homogeneity_score: [information, meanInformation, (mutual, {rows, n}) =>
    entropy(rows, n) > 0 ? [mutual, entropy(rows, n)] : [1, 1]],
  completeness_score: [information, meanInformation, (mutual, {cols, n}) =>
    entropy(cols, n) > 0 ? [mutual, entropy(cols, n)] : [1, 1]],
  bcubed_precision_score: [table => squares(table, 2), table => meanSquares(table, 2),
    both => [both, 1]],
  bcubed_recall_score: [table => squares(table, 1), table => meanSquares(table, 1),
    both => [both, 1]],
  purity_score: [largest, meanLargest, share => [share, 1]],
};

/* A ratio; of zero by zero it is 1 for equal partitions, and for others undefined and set to 0. */
function ratio([numerator, denominator], table) {
  if (denominator !== 0) return {value: numerator / denominator, isDefined: true};
  return {value: table.isIdentity ? 1 : 0, isDefined: table.isIdentity};
}

/* Value, mean and adjusted value of each index. */
function evaluate(counts) {
  const table = tableOf(counts);
  return Object.fromEntries(Object.entries(INDICES).map(([name, [statistic, meanOf, scaled]]) => {
    const index = ratio(scaled(statistic(table), table), table);
    const expected = table.isConstant
      ? index.value : ratio(scaled(meanOf(table), table), table).value;
    const adjusted = ratio([index.value - expected, 1 - expected], table);
    return [name, {index, expected, adjusted}];
  }));
}

if (typeof module === "object") module.exports = {evaluate};

/* ------------------------------------------------------------------------------------ the page */

const MOST = 9999;

function start() {
  const inputs = Array.from(document.querySelectorAll(".try-table input"));
  const [status] = document.querySelectorAll(".try-table [role=status]");
  const indexRows = Array.from(document.querySelectorAll("table.try-indices tbody tr"));
  const isValid = input => /^\d+$/.test(input.value.trim()) && Number(input.value) <= MOST;
  const number = value => value.toFixed(3).replace(/^-(0\.000)$/, "$1");

  const show = (cell, text, isDefined = true) => {
    cell.textContent = text;
    if (!isDefined) cell.append(" ", Object.assign(document.createElement("em"), {textContent: "undefined"}));
  };

  const clear = () => indexRows.forEach(row => {
    row.style.setProperty("--value", 0);
    row.style.setProperty("--expected", -1);
    Array.from(row.cells).slice(1).forEach(cell => show(cell, "\u2013"));
  });

  const update = () => {
    const wrong = inputs.filter(input => !isValid(input));
    inputs.forEach(input => input.setAttribute("aria-invalid", wrong.includes(input)));
    const counts = [0, 1, 2].map(i => inputs.slice(3 * i, 3 * i + 3).map(one => Number(one.value)));
    const table = tableOf(counts);
    const sums = [...table.rows, ...table.cols, table.n];
    document.querySelectorAll(".try-table .sum").forEach((cell, k) => {
      cell.textContent = wrong.length ? "\u2013" : sums[k];
    });
    if (wrong.length) {
      clear();
      status.textContent =
        `${wrong[0].getAttribute("aria-label")}: write a whole number from 0 to ${MOST}.`;
      return;
    }
    history.replaceState(null, "", `?table=${counts.join()}`);
    if (table.n === 0) {
      clear();
      status.textContent = "The table has no objects: write a number above 0 into a cell.";
      return;
    }
    const results = evaluate(counts);
    for (const row of indexRows) {
      const [, name] = row.querySelector("a").href.match(/\.(\w+)\.html/);
      const {index, expected, adjusted} = results[name];
      row.style.setProperty("--value", index.value);
      row.style.setProperty("--expected", expected);
      show(row.cells[1], number(index.value), index.isDefined);
      show(row.cells[2], number(expected));
      show(row.cells[3], number(adjusted.value), adjusted.isDefined);
    }
    const adjusted = name => number(results[name].adjusted.value);
    status.textContent = `${table.n} object${table.n === 1 ? "" : "s"}. `
      + `Adjusted Rand index ${adjusted("rand_score")}, `
      + `adjusted mutual information ${adjusted("normalized_mutual_info_score")}.`;
  };

  const fill = text => {
    const numbers = text.split(",");
    if (numbers.length === inputs.length) inputs.forEach((input, k) => { input.value = numbers[k]; });
    update();
  };

  inputs.forEach(input => input.addEventListener("input", update));
  document.querySelectorAll(".try-table button").forEach(button =>
    button.addEventListener("click", () => fill(button.value)));
  fill(new URLSearchParams(location.search).get("table") ?? "");
}

if (typeof document === "object") document.addEventListener("DOMContentLoaded", start);
