"""What MkDocs is told beyond mkdocs.yml: pages made by programs, documents outside of docs/, and links to them."""

from __future__ import annotations

import logging
import os
import pathlib
import posixpath
import re
from typing import Any

import documents
from mkdocs.structure.files import File
from pages import command, headers, http_interface, python_package, repository

LOG = logging.getLogger("mkdocs.hooks.renyi")
ROOT = pathlib.Path(__file__).resolve().parents[1]
PLACES = repository.places(ROOT) | headers.places(ROOT)
SOURCES = {page: source for source, page in repository.places(ROOT).items()}
MADE: dict[str, str] = {}
# How much more a page counts in searches: those for users come before those on methods.
BOOSTS = {"start": 4, "guide": 4, "tutorials": 2, "math": 0.5, "project": 0.5, "advisories": 0.5}


def on_config(config: Any) -> Any:
    """Makes the pages that programs write, and puts them where the navigation names their directory."""
    MADE.clear()
    MADE.update({place: repository.text_of(ROOT / file) for file, place in repository.places(ROOT).items()})
    program = os.environ.get("RENYI", str(ROOT / "build" / "bin" / "renyi"))
    MADE.update(command.pages(program))
    MADE.update(http_interface.pages(program))
    MADE.update(headers.pages(ROOT))
    MADE.update(python_package.pages())
    config.nav = _expanded(config.nav)
    return config


def _expanded(nav: Any) -> Any:
    """A directory in the navigation, ``reference/cpp/``, stands for the pages in it that were made."""
    if isinstance(nav, list):
        return [_expanded(entry) for entry in nav]
    if isinstance(nav, dict):
        return {title: _expanded(entry) for title, entry in nav.items()}
    if isinstance(nav, str) and nav.endswith("/"):
        return [_entry(page) for page in MADE if page.startswith(nav)]
    return nav


def _entry(page: str) -> Any:
    """A page in the navigation; the name of the project, which most titles begin with, is left out."""
    title = MADE[page].split("\n", 1)[0].removeprefix("# ")
    for prefix in ("renyi ", "renyi/"):
        if title.startswith(prefix):
            return {title.removeprefix(prefix): page}
    return page


def on_files(files: Any, config: Any) -> Any:
    for place, text in MADE.items():
        files.append(File.generated(config, place, content=text))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    """Links of a document are to files of the repository; those of a page are to pages."""
    here = page.file.src_uri
    if here == "index.md":
        page.meta["hide"] = ["navigation"]
    page.meta["search"] = {"boost": BOOSTS.get(here.split("/")[0], 1)}
    source = SOURCES.get(here, f"docs/{here}")

    def in_site(link: str) -> str:
        if documents.is_external(link) or link.startswith("#"):
            return link
        path, fragment = documents.resolved(link, source)
        target = path.removeprefix("docs/") if path.startswith("docs/") else PLACES.get(path)
        if target is None:
            LOG.warning("%s: no page for %s", source, link)
            return link
        relative = posixpath.relpath(target, posixpath.dirname(here) or ".")
        return relative + (f"#{fragment}" if fragment else "")

    if here in MADE and here not in SOURCES:
        return documents.with_blank_lines(markdown)
    return documents.with_links(documents.with_blank_lines(markdown), in_site)


def on_page_content(html: str, page: Any, config: Any, files: Any) -> str:
    """Lines of sessions that continue a command are typed, too; Pygments knows them after a backslash only."""
    return re.sub(r'<span class="go">&gt; (.*?)</span>', r'<span class="gp">&gt; </span>\1', html)
