import { type ComponentProps, isValidElement, type ReactNode } from 'react';
import Markdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { ForeignAddress } from './foreign-address.tsx';
import styles from './markdown-text.module.css';

// Markdown as elements of the page. HTML in it is shown, not obeyed; pictures are not fetched, since that would tell
// a foreign host who reads.

interface MarkdownTextProps {
  readonly text: string;
  /**
   * `live`: written by those who may change content, links lead where they say. `guarded`: anybody may have pasted it,
   * addresses of other hosts open only after a look.
   */
  readonly links: 'live' | 'guarded';
  /** The places of a plain text that stand out, e.g. who is mentioned; in order and apart. */
  readonly marked?: FindMarks;
}

export type FindMarks = (text: string) => readonly { readonly start: number; readonly end: number }[];

const isWeb = (address: string | undefined): address is string => /^https?:\/\//i.test(address ?? '');

const HEADINGS: Components = { h1: 'h3', h2: 'h4', h3: 'h5', h4: 'h5', h5: 'h5', h6: 'h5' };

const LIVE: Components = {
  ...HEADINGS,
  a: ({ href, children }) =>
    isWeb(href) ? (
      <a href={href} target="_blank" rel="noopener noreferrer nofollow">
        {children}
      </a>
    ) : (
      children
    ),
  img: ({ alt }) => alt,
};

const GUARDED: Components = {
  ...HEADINGS,
  a: ({ href, children }) => {
    if (!isWeb(href)) return children;
    const quote = closingQuote(textOf(children));
    const address = quote ? href.slice(0, -encodeURI(quote).length) : href;
    return (
      <>
        <ForeignAddress address={address} label={labelOf(children, href)} />
        {quote}
      </>
    );
  },
  img: ({ src, alt }) => (isWeb(asText(src)) ? <ForeignAddress address={asText(src)} label={alt} /> : alt),
};

/** The quotes behind an address that was pasted with them, which are no part of it. */
const closingQuote = (text: string): string => /^https?:.*?([`”’»]+)$/is.exec(text)?.[1] ?? '';

const asText = (value: unknown): string => (typeof value === 'string' ? value : '');

/** What a link calls itself, unless that is its address. */
function labelOf(children: ReactNode, href: string): string | undefined {
  const text = textOf(children).trim();
  return text === '' || /^(?:https?:\/\/|www\.)/i.test(text) || href.includes(text) ? undefined : text;
}

function textOf(node: ReactNode): string {
  if (typeof node === 'string' || typeof node === 'number') return String(node);
  if (Array.isArray(node)) return node.map(textOf).join('');
  return isValidElement<{ children?: ReactNode }>(node) ? textOf(node.props.children) : '';
}

type Plugin = NonNullable<ComponentProps<typeof Markdown>['remarkPlugins']>[number];

/** Paths are written with backslashes and pasted with indents: neither means anything here. */
function plainText(this: { data(): { micromarkExtensions?: unknown[] } }): void {
  const data = this.data();
  data.micromarkExtensions ??= [];
  data.micromarkExtensions.push({
    disable: { null: ['characterEscape', 'codeIndented', 'hardBreakEscape'] },
  });
}

const PLUGINS: Plugin[] = [remarkGfm, plainText as Plugin];

/** A node of the page's tree, as rehype has it. */
interface PageNode {
  type: string;
  tagName?: string;
  value?: string;
  properties?: Record<string, unknown>;
  children?: PageNode[];
}

/** Puts what `find` finds in the texts below a node into `<mark>`; code is left as it is. */
function markTexts(node: PageNode, find: FindMarks): void {
  node.children = node.children?.flatMap((child) => {
    if (child.tagName !== 'code') markTexts(child, find);
    return child.type === 'text' ? withMarks(child.value ?? '', find) : child;
  });
}

function withMarks(text: string, find: FindMarks): PageNode[] {
  const parts: PageNode[] = [];
  let at = 0;
  for (const { start, end } of find(text)) {
    parts.push({ type: 'text', value: text.slice(at, start) });
    const inside = { type: 'text', value: text.slice(start, end) };
    parts.push({ type: 'element', tagName: 'mark', properties: {}, children: [inside] });
    at = end;
  }
  return [...parts, { type: 'text', value: text.slice(at) }];
}

export function MarkdownText({ text, links, marked }: MarkdownTextProps) {
  const marks = marked ? [() => (tree: PageNode) => markTexts(tree, marked)] : [];
  return (
    <div className={styles.markdown} data-guarded={links === 'guarded' || undefined}>
      <Markdown
        remarkPlugins={PLUGINS}
        rehypePlugins={marks as Plugin[]}
        components={links === 'live' ? LIVE : GUARDED}
      >
        {text}
      </Markdown>
    </div>
  );
}
