"""Pages as a browser reads them."""

from html.parser import HTMLParser

VOID = {"meta", "br", "wbr"}


class Page(HTMLParser):
    """Reads a page, checks that its tags match, and keeps what it holds."""

    def __init__(self, html):
        super().__init__()
        self.open, self.tags, self.elements, self.texts, self.tables = [], [], [], [], []
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.elements.append((tag, dict(attrs)))
        assert len(dict(attrs)) == len(attrs)
        if tag == "table":
            self.tables.append([])
        if tag == "tr":
            self.tables[-1].append([])
        if tag in ("th", "td"):
            self.tables[-1][-1].append("")
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)
        if {"td", "th"} & set(self.open):
            self.tables[-1][-1][-1] += data
