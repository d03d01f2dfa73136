
for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells], body = table.tBodies[0];
  heads.forEach((head, column) => {
    const isNumber = head.classList.contains("n"), button = document.createElement("button");
    const text = row => row.cells[column].textContent;
    const compare = isNumber
      ? (a, b) => parseFloat(text(a)) - parseFloat(text(b))
      : (a, b) => text(a).localeCompare(text(b), undefined, { numeric: true });
    const isMissing = row => isNumber && isNaN(parseFloat(text(row)));
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const first = isNumber ? "descending" : "ascending", second = isNumber ? "ascending" : "descending";
      const order = head.getAttribute("aria-sort") === first ? second : first;
      const sign = order === "ascending" ? 1 : -1;
      heads.forEach(other => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", order);
      const rows = [...body.rows];
      rows.sort((a, b) => isMissing(a) - isMissing(b) || sign * compare(a, b) || 0);
      body.append(...rows);
    });
  });
}
