"""Checks a site that was built: every link and anchor in it leads somewhere, and nothing is fetched from elsewhere.

Usage: check.py DIRECTORY
"""

from __future__ import annotations

import html.parser
import pathlib
import sys
import urllib.parse

# Where a page names what a browser fetches by itself.
FETCHED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "link": "href"}


class Page(html.parser.HTMLParser):
    """The anchors and the links of a page, and what a browser fetches for it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.fetched: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attributes}
        self.anchors |= {given[name] for name in ("id", "name") if name in given}
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        if given.get(FETCHED.get(tag, "")):
            self.fetched.append(given[FETCHED[tag]])


def _anchor(fragment: str) -> str:
    return urllib.parse.unquote(fragment)


def faults(site: pathlib.Path) -> list[str]:
    """What is wrong with a site, one line each."""
    pages = {file.resolve(): Page(file.read_text(encoding="utf-8")) for file in sorted(site.rglob("*.html"))}
    found = []
    for file, page in pages.items():
        if file.name == "404.html":
            continue  # its links are absolute, since any address may lead to it
        name = file.relative_to(site.resolve()).as_posix()
        for link in page.fetched:
            if urllib.parse.urlsplit(link).scheme in ("http", "https") or link.startswith("//"):
                found.append(f"{name}: fetches {link}")
        for link in page.links + page.fetched:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (file.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else file
            if target.is_dir():
                target = target / "index.html"
            if not target.is_file():
                found.append(f"{name}: no file for {link}")
            elif parts.fragment and target in pages and _anchor(parts.fragment) not in pages[target].anchors:
                found.append(f"{name}: no anchor for {link}")
    if not pages:
        found.append(f"{site}: no pages")
    return found


def main() -> int:
    site = pathlib.Path(sys.argv[1])
    found = faults(site)
    print("\n".join(found) or f"site: {len(list(site.rglob('*.html')))} pages in {site}, every link leads somewhere")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
