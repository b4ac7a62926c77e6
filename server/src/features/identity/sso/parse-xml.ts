import { DOMParser } from '@xmldom/xmldom';

// Reading of the XML that identity providers write.

/** What is used of an element; the names are those of the DOM. */
export interface XmlElement {
  readonly localName: string | null;
  readonly namespaceURI: string | null;
  readonly parentNode: unknown;
  readonly textContent: string | null;
  getAttribute(name: string): string | null;
  hasAttribute(name: string): boolean;
  getElementsByTagNameNS(namespace: string, name: string): ArrayLike<unknown>;
}

/** No document of SAML has a document type; one that does may define entities, so it is not read at all. */
export function hasDocumentType(xml: string): boolean {
  return /<!\s*(DOCTYPE|ENTITY)/i.test(xml);
}

/** Levels of elements; metadata and answers have about fifteen. Walks over a tree call themselves for each level. */
const DEEPEST = 100;

interface XmlNode {
  readonly firstChild: XmlNode | null;
  readonly nextSibling: XmlNode | null;
  readonly parentNode: XmlNode | null;
}

function isTooDeep(root: XmlNode): boolean {
  let depth = 0;
  let node: XmlNode = root;
  for (;;) {
    if (node.firstChild) {
      node = node.firstChild;
      depth += 1;
      if (depth > DEEPEST) return true;
      continue;
    }
    while (!node.nextSibling && node !== root && node.parentNode) {
      node = node.parentNode;
      depth -= 1;
    }
    if (node === root || !node.nextSibling) return false;
    node = node.nextSibling;
  }
}

/**
 * The first element; null for what is no XML, or is nested without sense. What the parser complains of may repeat the
 * text, so it is not told.
 */
export function parseXml(xml: string): XmlElement | null {
  const complain = () => {
    throw new Error('not XML');
  };
  try {
    const parser = new DOMParser({ errorHandler: complain });
    const root = parser.parseFromString(xml, 'text/xml')?.documentElement;
    return !root || isTooDeep(root as unknown as XmlNode) ? null : (root as unknown as XmlElement);
  } catch {
    return null;
  }
}

/** Every element of that name below another; `*` is any namespace. */
export function allWithin(parent: XmlElement, namespace: string, name: string): XmlElement[] {
  return Array.from(parent.getElementsByTagNameNS(namespace, name)) as XmlElement[];
}
