"""Open the built site in a headless Chromium and look for what a build cannot see.

Run ``python doc/check_site.py [_build/html]`` after a build, with chromium, its driver and the
package selenium installed. Checks every page by the rules of ``site_rules.py``: messages on the
console, what does not load or is fetched from elsewhere, code and tables cut off, parameters over
two lines, pages that scroll sideways, texts of pictures, white pictures on dark pages, references
that are lists, titles, and with ``--axe FILE`` (axe.min.js of the npm package axe-core) contrast
in both themes. Then checks internal links, prints the formula sheet, and searches for a few names
and for the words of the papers, of which the page that explains them must come first, and types
tables into the page of ten indices, which must show what the package computes. Exit status 1 if
something is wrong.
``--screenshots FOLDER`` keeps pictures of some pages, ``--only TEXT`` checks only pages with this
text in their path.
"""

from __future__ import annotations

import argparse
import base64
import contextlib
import csv
import functools
import http.server
import re
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote, unquote, urldefrag, urlsplit

import numpy as np
from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from site_rules import (
    DESKTOP,
    PHONE,
    check_accessibility,
    check_dark_pictures,
    check_headings,
    check_loading,
    check_names_and_tables,
    check_references,
    check_texts_of_pictures,
    check_widths,
    set_theme,
    set_width,
)

from sklearn_clustcompare import chance_adjusted_score

_CHECKS = (
    check_widths,
    check_names_and_tables,
    check_references,
    check_dark_pictures,
    check_texts_of_pictures,
    check_headings,
)
_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
)
_SCRIPT_WAIT = 300  # seconds; contrast of a long page on a busy machine
_SEARCHES = ("adjusted_rand_score", "NMI_M", "noise", "GaussianMixture")
_SHOWN = (
    "index.html",
    "user_guide/choosing.html",
    "user_guide/soft.html",
    "gallery/index.html",
    "api.html",
    "gallery/basics/plot_which_cluster_failed.html",
    "generated/sklearn_clustcompare.adjusted_mutual_info_score.html",
    "generated/sklearn_clustcompare.ContingencyTable.html",
)
_WORDS = Path(__file__).with_name("words_of_papers.csv")
_SHEET, _SHEET_PAGES = "user_guide/formulas.html", 2
_TABLE = "user_guide/try_a_table.html"
# One cluster, singletons, and others, row by row.
_TABLES = (
    (18, 2, 0, 3, 14, 3, 0, 4, 16),
    (0, 5, 1, 0, 0, 0, 0, 2, 7),
    (9, 0, 0, 1, 0, 0, 4, 0, 0),
    (1, 1, 1, 0, 0, 0, 0, 0, 0),
    (0, 1, 0, 1, 0, 0, 0, 0, 1),
    (9999, 1, 9999, 500, 9999, 0, 3, 0, 77),
)
_ROUNDED = 0.00051
_SELECT = Keys.CONTROL + "a" + Keys.NULL
_LINKS = "return Array.from(document.querySelectorAll('a[href]')).map(link => link.href)"
_ANCHORS = "return Array.from(document.querySelectorAll('[id]')).map(element => element.id)"


class _QuietHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


@contextlib.contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a folder on a free local port and yield its address."""
    handler = functools.partial(_QuietHandler, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@contextlib.contextmanager
def chromium() -> Iterator[webdriver.Chrome]:
    """Start a Chromium with a profile of its own, and end it."""
    with tempfile.TemporaryDirectory() as profile:
        options = Options()
        for flag in (*_FLAGS, f"--user-data-dir={profile}"):
            options.add_argument(flag)
        options.binary_location = "/usr/bin/chromium"
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        driver = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
        driver.set_script_timeout(_SCRIPT_WAIT)
        try:
            yield driver
        finally:
            driver.quit()


def check_pages(
    driver: webdriver.Chrome, address: str, folder: Path, axe: Path | None, only: str
) -> list[str]:
    """Visit every page; return what is wrong."""
    problems = []
    pages = sorted(page.relative_to(folder).as_posix() for page in folder.rglob("*.html"))
    pages = [page for page in pages if not page.startswith("_static/") and only in page]
    anchors: dict[str, set[str]] = {}
    links: dict[str, set[str]] = {}
    for page in pages:
        driver.get(address + page)
        found = check_loading(driver, address)
        for check in _CHECKS:
            found += check(driver)
        if axe is not None:
            found += check_accessibility(driver, axe)
        problems += [f"{page}: {text}" for text in found]
        anchors[address + page] = set(driver.execute_script(_ANCHORS))
        links[page] = set(driver.execute_script(_LINKS))
    for page, targets in links.items():
        for target in sorted(targets):
            if target.startswith(address):
                problems += [f"{page}: {text}" for text in _dead(target, address, folder, anchors)]
    print(f"{len(pages)} pages, {sum(map(len, links.values()))} links")
    return problems


def _dead(target: str, address: str, folder: Path, anchors: dict[str, set[str]]) -> list[str]:
    page, anchor = urldefrag(target)
    path = unquote(urlsplit(page).path).lstrip("/")
    if path.endswith("/") or not path:
        path += "index.html"
    if not (folder / path).is_file():
        return [f"link leads nowhere: {target}"]
    known = anchors.get(address + path)
    if anchor and known is not None and unquote(anchor) not in known:
        return [f"no such place on the page: {target}"]
    return []


def check_search(driver: webdriver.Chrome, address: str) -> list[str]:
    """Search for words that must be found; return those that were not."""
    return [
        f"search does not find {word!r}" for word in _SEARCHES if not _hits(driver, address, word)
    ]


def check_words(driver: webdriver.Chrome, address: str) -> list[str]:
    """Search for the words of the papers; return those whose page is not found first."""
    with _WORDS.open(encoding="utf-8", newline="") as file:
        words = {row["term"]: f"{row['page']}.html" for row in csv.DictReader(file)}
    problems = []
    for word, page in words.items():
        hits = _hits(driver, address, word)
        first = urlsplit(hits[0]).path.removeprefix("/") if hits else "nothing"
        if first != page:
            problems.append(f"search for {word!r} finds {first} first instead of {page}")
    print(f"search finds the page of {len(words) - len(problems)} of {len(words)} words first")
    return problems


def _hits(driver: webdriver.Chrome, address: str, text: str) -> list[str]:
    """Return the addresses that the search of the site finds, the first ones first."""
    driver.get(f"{address}search.html?q={quote(text)}")
    deadline = time.monotonic() + 15
    while time.monotonic() < deadline:
        links = driver.find_elements(By.CSS_SELECTOR, "#search-results ul.search li a")
        if links:
            return [str(link.get_attribute("href")) for link in links]
        time.sleep(0.05)
    return []


def check_print(driver: webdriver.Chrome, address: str) -> list[str]:
    """Print the formula sheet; return what is wrong if it needs more paper."""
    driver.get(address + _SHEET)
    paper = {"paperWidth": 8.27, "paperHeight": 11.69}  # A4 in inches
    margins = dict.fromkeys(("marginTop", "marginBottom", "marginLeft", "marginRight"), 0.4)
    printed = driver.execute_cdp_cmd("Page.printToPDF", {**paper, **margins})
    n_pages = len(re.findall(rb"/Type\s*/Page\b", base64.b64decode(printed["data"])))
    print(f"{_SHEET}: {n_pages} pages of paper")
    return [f"{_SHEET} needs {n_pages} pages of paper"] if n_pages > _SHEET_PAGES else []


def check_table(driver: webdriver.Chrome, address: str) -> list[str]:
    """Type tables, from cell to cell by the tabulator; return what is not as in the package."""
    driver.get(address + _TABLE)
    problems = []
    for counts in _TABLES:
        driver.execute_script("document.querySelector('.try-table input').focus()")
        for count in counts:
            driver.switch_to.active_element.send_keys(_SELECT, str(count), Keys.TAB)
        labels = np.repeat(np.arange(9), counts)
        for row in driver.find_elements(By.CSS_SELECTOR, "table.try-indices tbody tr"):
            link = row.find_element(By.TAG_NAME, "a").get_attribute("href")
            name = urlsplit(link).path.split(".")[-2]
            _, *shown = (cell.text for cell in row.find_elements(By.TAG_NAME, "td"))
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                score = chance_adjusted_score(labels // 3, labels % 3, index=name, random_state=0)
            heads = {str(one.message).split(" is undefined")[0] for one in caught}
            undefined = [name in heads, False, f"chance-adjusted {name}" in heads]
            error = _ROUNDED + 5 * score.standard_error
            values = score.unadjusted, score.expected, float(score)
            for text, value, is_undefined in zip(shown, values, undefined, strict=True):
                number, *mark = text.split()
                if abs(float(number) - value) > error or bool(mark) != is_undefined:
                    problems.append(f"{_TABLE}: {name} of {counts} is {text!r}, not {value}")
    cell = driver.find_element(By.CSS_SELECTOR, ".try-table input")
    cell.send_keys(_SELECT, "1.5")
    status = driver.find_element(By.CSS_SELECTOR, ".try-table [role=status]").text
    if cell.get_attribute("aria-invalid") != "true" or cell.accessible_name not in status:
        problems.append(f"{_TABLE}: half an object is not refused: {status!r}")
    return problems


def take_screenshots(driver: webdriver.Chrome, address: str, output: Path) -> None:
    """Save pictures of some pages, light and dark, wide and narrow."""
    output.mkdir(parents=True, exist_ok=True)
    for page in _SHOWN:
        driver.get(address + page)
        for width in (DESKTOP, PHONE):
            set_width(driver, width)
            for theme in ("light", "dark"):
                set_theme(driver, theme)
                time.sleep(0.5)
                name = f"{page.removesuffix('.html').replace('/', '_')}_{width}_{theme}.png"
                driver.save_screenshot(str(output / name))


def main() -> int:
    """Check the site and print what is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    default = Path(__file__).parent / "_build" / "html"
    parser.add_argument("folder", nargs="?", type=Path, default=default, help="the built site")
    parser.add_argument("--screenshots", type=Path, metavar="FOLDER", help="where to keep pictures")
    parser.add_argument("--axe", type=Path, metavar="FILE", help="axe.min.js of axe-core")
    parser.add_argument("--only", default="", metavar="TEXT", help="part of the paths of pages")
    arguments = parser.parse_args()
    folder = arguments.folder.resolve()
    if not (folder / "index.html").is_file():
        parser.error(f"{folder} has no index.html: build the site first")
    with served(folder) as address, chromium() as driver:
        problems = check_pages(driver, address, folder, arguments.axe, arguments.only)
        problems += check_search(driver, address)
        problems += check_words(driver, address)
        problems += check_print(driver, address)
        problems += check_table(driver, address)
        if arguments.screenshots:
            take_screenshots(driver, address, arguments.screenshots)
    print("\n".join(problems) or "nothing is wrong")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
