"""Finds what hostile words have done to a page, by its effect and not by how it came about."""

from __future__ import annotations

from playwright.sync_api import Dialog, Page

from tests.browser.hostile import MARK

LONGEST_STYLING = 30
"""Tenths of a second."""

_BEFORE = """
window.effects = [];
window.effect = what => window.effects.push(String(what));
for (const name of ['alert', 'confirm', 'prompt', 'print'])
  window[name] = () => effect(name);
"""

_FOUND = r"""
mark => {
  const found = [...(window.effects || [])].map(what => `ran: ${what}`);
  const all = selector => [...document.querySelectorAll(selector)];
  const told = (what, nodes) => nodes.forEach(node =>
    found.push(`${what}: ${node.outerHTML.slice(0, 120)}`));
  told('element', all('[data-injected]'));
  told('address', all('[href], [src], [srcset], [action], [data], [poster]').filter(node =>
    ['href', 'src', 'srcset', 'action', 'data', 'poster'].some(name =>
      /evil\.example|javascript:|effect/.test(node.getAttribute(name) || ''))));
  told('handler', all('*').filter(node =>
    [...node.attributes].some(a => /^on/.test(a.name) && /effect/.test(a.value))));
  told('formula', all('.katex, mjx-container, math'));
  told('icon', all('[aria-label="skull icon"], img[alt="Streamlit logo"]'));
  told('coloured', all('.stMarkdownColoredText, .stMarkdownColoredBackground, .stMarkdownBadge'));
  told('diagram', all('.mermaid, [data-testid*="Mermaid"]'));
  // Wherever the words stand, all of one paragraph looks alike.
  const blocks = all('p, h1, h2, h3, li, td, th, bdi').filter(node =>
    node.textContent.includes(mark) && !node.querySelector('p, li, td'));
  for (const block of blocks) {
    const walk = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
    const looks = new Set();
    while (walk.nextNode()) {
      const parent = walk.currentNode.parentElement, style = getComputedStyle(parent);
      if (parent.closest('[role=img]')) continue;
      const own = parent === block || !block.contains(parent);
      looks.add([style.color, style.fontSize, style.fontStyle, style.fontFamily,
        style.textDecorationLine, style.direction,
        own ? 'rgba(0, 0, 0, 0)' : style.backgroundColor].join(' '));
    }
    if (looks.size > 1) found.push(`look: ${[...looks].join(' | ')} in ${block.outerHTML}`);
    const odd = 'a, img, input, ul, ol, table, blockquote, pre, del';
    told('inside', [...block.querySelectorAll(odd)]);
  }
  // The app's own lists name columns, too; a list of the words' making is just the item.
  told('list', all('li').filter(node => node.textContent.trim() === `${mark} item`));
  // The app's own tables name columns and units, in as many cells as they have headings.
  const own = node => node.matches('td') && node.closest('[class*="st-key-table-"]') &&
    node.parentElement.cells.length === node.closest('table').rows[0].cells.length;
  told('block', all('pre, blockquote, h1, h2, h3, h4, td').filter(node => !own(node) &&
    node.closest('[data-testid="stMarkdownContainer"]') && node.textContent.includes(mark)));
  return found;
}
"""


class Effects:
    """Watches a page from its next document on."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.dialogs: list[str] = []
        self.requests: list[str] = []
        page.add_init_script(_BEFORE)
        page.on("dialog", self._dialog)
        page.on("request", lambda request: self._asked(request.url))

    def _dialog(self, dialog: Dialog) -> None:
        self.dialogs.append(dialog.message)
        dialog.dismiss()

    def _asked(self, address: str) -> None:
        if "evil.example" in address.split("?")[0]:
            self.requests.append(address)

    def found(self) -> list[str]:
        """Everything that the words have done so far."""
        told: list[str] = self.page.evaluate(_FOUND, MARK)
        for _ in range(LONGEST_STYLING):
            if not any(each.startswith("look:") for each in told):
                break
            # The page may be there a moment before its style sheet.
            self.page.wait_for_timeout(100)
            told = self.page.evaluate(_FOUND, MARK)
        dialogs = [f"dialog: {text}" for text in self.dialogs]
        return [*told, *dialogs, *(f"request: {address}" for address in self.requests)]


def nothing_happened(effects: Effects) -> None:
    assert not (found := effects.found()), "\n".join(found)
