/**
 * Owns making invisible and direction-changing characters visible in every text and in every attribute that
 * is read aloud or shown on hover, whichever component wrote it. Names come from anyone who can create a
 * resource or call an API. Text typed into fields is left alone.
 */
import { visible } from '$lib/text';

const attributes = [
  'title',
  'aria-label',
  'aria-description',
  'aria-valuetext',
  'alt',
  'placeholder',
  'label',
];

function showText(node: Node): void {
  const text = node.nodeValue ?? '';
  const shown = visible(text);
  if (shown !== text) node.nodeValue = shown;
}

function showAttributes(element: Element): void {
  for (const name of attributes) {
    const text = element.getAttribute(name);
    if (text === null) continue;
    const shown = visible(text);
    if (shown !== text) element.setAttribute(name, shown);
  }
}

function show(root: Node): void {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  for (let node: Node | null = root; node; node = walker.nextNode()) {
    if (node instanceof Element) showAttributes(node);
    else if (node.nodeType === Node.TEXT_NODE) showText(node);
  }
}

/** Watches a document. The browser reports changes before drawing them. */
export function keepInert(root: Node): () => void {
  const observer = new MutationObserver((records) => {
    for (const { type, target, addedNodes } of records) {
      if (type === 'characterData') showText(target);
      else if (type === 'attributes') showAttributes(target as Element);
      else addedNodes.forEach(show);
    }
  });
  observer.observe(root, {
    subtree: true,
    childList: true,
    characterData: true,
    attributes: true,
    attributeFilter: attributes,
  });
  show(root);
  return () => observer.disconnect();
}
