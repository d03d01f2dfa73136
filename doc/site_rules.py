"""What the page that a browser shows must be like: checks of ``check_site.py``, one page at a time.

Each takes the driver of a browser in which a page is open and returns what is wrong with it.
"""

from __future__ import annotations

import re
import time
from pathlib import Path

from selenium import webdriver

DESKTOP, PHONE = 1280, 390
_HEIGHT = 1000
_PICTURES_WAIT = 5  # seconds

# Pictures below the fold are loaded when they come into view; a sidebar on its way to its width, or
# a color on its way to that of the other theme, would be measured.
_SETTLE = """
document.querySelectorAll('img').forEach(image => image.loading = 'eager');
document.head.insertAdjacentHTML('beforeend', '<style>* { transition: none !important }</style>');
"""
_NOT_LOADED = """
return Array.from(document.images)
    .filter(image => !image.complete || image.naturalWidth === 0)
    .map(image => image.src)
"""
# All that a page asked the network for.
_RESOURCES = "return performance.getEntriesByType('resource').map(entry => entry.name)"
# Of the page, and of what holds the whole of its text.
_HIDDEN_WIDTH = """
let most = 0;
for (let block = document.querySelector('h1'); block; block = block.parentElement)
    most = Math.max(most, block.scrollWidth - block.clientWidth);
return most;
"""
_CUT_OFF = """
return Array.from(document.querySelectorAll('pre'))
    .filter(block => block.scrollWidth > block.clientWidth)
    .map(block => {
        const lines = block.textContent.split('\\n');
        return lines.reduce((long, line) => line.length > long.length ? line : long, '').trim();
    })
"""
_TITLES = "return Array.from(document.querySelectorAll('h1')).map(title => title.textContent)"
# A picture beside the text of a link needs none of its own.
_ALTS = """
return Array.from(document.images)
    .filter(image => image.alt || !image.closest('a')?.textContent.trim())
    .map(image => [image.getAttribute('src'), image.alt])
"""
_UNNAMED_SVG = """
return Array.from(document.querySelectorAll('svg'))
    .filter(svg => !svg.closest('[aria-hidden=true]') && !svg.hasAttribute('aria-label')
                   && !svg.hasAttribute('aria-labelledby') && !svg.querySelector('title'))
    .map(svg => svg.outerHTML.slice(0, 80))
"""
_AXE = """
const done = arguments[arguments.length - 1];
const rules = ['color-contrast', 'image-alt', 'link-name'];
axe.run(document, {runOnly: rules, resultTypes: ['violations']}).then(
    found => done(found.violations.flatMap(rule => rule.nodes.map(
        node => rule.id + ': ' + node.target.join(' ') + ' ' + (node.any[0]?.message ?? '')
    )))
)
"""
# The names of parameters, in signatures and lists, that stand on two lines.
_BROKEN_NAMES = """
return Array.from(document.querySelectorAll('dt .sig-param > .n, dl.field-list dl > dt > strong'))
    .filter(name => {
        const tops = Array.from(name.getClientRects(), line => Math.round(line.top));
        return new Set(tops).size > 1;
    })
    .map(name => name.textContent)
"""
# Words of a title that stand on two lines, but for names of functions and classes.
_BROKEN_WORDS = """
const text = document.querySelector('h1').firstChild, range = document.createRange();
if (text.nodeType !== Node.TEXT_NODE) return [];
return Array.from(text.textContent.matchAll(/[^\\s.]+/g)).filter(word => {
    range.setStart(text, word.index);
    range.setEnd(text, word.index + word[0].length);
    return range.getClientRects().length > 1 && word[0].length <= 20;
}).map(word => word[0]);
"""
# Tables wider than the page that nothing around them lets scroll.
_CUT_TABLES = """
return Array.from(document.querySelectorAll('.bd-article table'))
    .filter(table => table.getBoundingClientRect().right > window.innerWidth + 1)
    .filter(table => {
        for (let block = table.parentElement; block; block = block.parentElement)
            if (['auto', 'scroll'].includes(getComputedStyle(block).overflowX)) return false;
        return true;
    })
    .map(table => table.textContent.trim().slice(0, 60))
"""
# Pictures with a ground of their own in the dark theme: of the page, or of their corner.
_WHITE_PICTURES = """
return Array.from(document.querySelectorAll('.bd-article img'))
    .filter(image => image.offsetParent && image.naturalWidth)
    .filter(image => {
        const canvas = document.createElement('canvas'), pen = canvas.getContext('2d');
        pen.drawImage(image, 0, 0);
        return getComputedStyle(image).backgroundColor === 'rgb(255, 255, 255)'
            || pen.getImageData(0, 0, 1, 1).data[3] === 255;
    })
    .map(image => image.getAttribute('src'))
"""
_LISTED_REFERENCES = """
return Array.from(document.querySelectorAll('.citation:has(ol)'), one => one.textContent.trim())
"""
_FILE_NAME = re.compile(r"\.(png|svg|jpe?g|gif)$|_|^plot ", re.IGNORECASE)


def check_loading(driver: webdriver.Chrome, address: str) -> list[str]:
    """Pictures that do not load, messages on the console, what comes from elsewhere."""
    driver.execute_script(_SETTLE)
    deadline = time.monotonic() + _PICTURES_WAIT
    while (broken := driver.execute_script(_NOT_LOADED)) and time.monotonic() < deadline:
        time.sleep(0.05)
    return [
        *(f"picture does not load: {source}" for source in broken),
        *(
            f"{entry['level']} on the console: {entry['message']}"
            for entry in driver.get_log("browser")
            if entry["level"] in ("SEVERE", "WARNING")
        ),
        *(
            f"fetched from elsewhere: {name}"
            for name in driver.execute_script(_RESOURCES)
            if not name.startswith((address, "data:"))
        ),
    ]


def check_widths(driver: webdriver.Chrome) -> list[str]:
    """Pages that scroll sideways, and lines of code that a desktop does not show whole."""
    problems = []
    for width in (PHONE, DESKTOP):
        set_width(driver, width)
        if (hidden := driver.execute_script(_HIDDEN_WIDTH)) > 0:
            problems.append(f"at {width} px the page scrolls sideways by {hidden} px")
    problems += [
        f"at {DESKTOP} px a block is cut off: {line}" for line in driver.execute_script(_CUT_OFF)
    ]
    return problems


def check_names_and_tables(driver: webdriver.Chrome) -> list[str]:
    """Parameters broken over two lines on a desktop, titles and tables that a phone breaks."""
    set_width(driver, PHONE)
    cut = driver.execute_script(_CUT_TABLES)
    words = driver.execute_script(_BROKEN_WORDS)
    set_width(driver, DESKTOP)
    broken = driver.execute_script(_BROKEN_NAMES)
    return [
        *(f"at {PHONE} px a table is cut off: {text}" for text in cut),
        *(f"at {PHONE} px a word of the title is broken: {word}" for word in words),
        *(f"at {DESKTOP} px a parameter is broken: {name}" for name in broken),
    ]


def check_references(driver: webdriver.Chrome) -> list[str]:
    """References whose first initial was read as the letter of a list."""
    return [f"reference is a list: {text}" for text in driver.execute_script(_LISTED_REFERENCES)]


def check_dark_pictures(driver: webdriver.Chrome) -> list[str]:
    """Pictures that are not transparent, on a dark page."""
    set_theme(driver, "dark")
    found = driver.execute_script(_WHITE_PICTURES)
    set_theme(driver, "light")
    return [f"dark: picture {source} has a white ground" for source in found]


def check_texts_of_pictures(driver: webdriver.Chrome) -> list[str]:
    """Pictures without a text in their place, or with the name of a file as the text."""
    return [
        *(
            f"picture {source} has the alternative text {alt!r}"
            for source, alt in driver.execute_script(_ALTS)
            if not alt.strip() or _FILE_NAME.search(alt)
        ),
        *(f"svg without a title: {svg}" for svg in driver.execute_script(_UNNAMED_SVG)),
    ]


def check_headings(driver: webdriver.Chrome) -> list[str]:
    """More than one title, as where a report is shown in a page."""
    titles = driver.execute_script(_TITLES)
    return [] if len(titles) == 1 else [f"{len(titles)} titles instead of one: {titles}"]


def check_accessibility(driver: webdriver.Chrome, axe: Path) -> list[str]:
    """Contrast of text below 4.5 to 1 in one of the themes, links and pictures without a text."""
    driver.execute_script(axe.read_text("utf-8"))
    problems = []
    for theme in ("dark", "light"):
        set_theme(driver, theme)
        problems += [f"{theme}: {text}" for text in driver.execute_async_script(_AXE)]
    return problems


def set_width(driver: webdriver.Chrome, width: int) -> None:
    """Make the window so wide; windows of Chromium themselves cannot be as narrow as a phone."""
    driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": _HEIGHT, "deviceScaleFactor": 1, "mobile": False},
    )


def set_theme(driver: webdriver.Chrome, theme: str) -> None:
    """Show a page light or dark."""
    driver.execute_script("document.documentElement.dataset.theme = arguments[0]", theme)
