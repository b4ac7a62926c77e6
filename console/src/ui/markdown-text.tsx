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
}

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
  a: ({ href, children }) =>
    isWeb(href) ? <ForeignAddress address={href} label={labelOf(children, href)} /> : children,
  img: ({ src, alt }) => (isWeb(asText(src)) ? <ForeignAddress address={asText(src)} label={alt} /> : alt),
};

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

export function MarkdownText({ text, links }: MarkdownTextProps) {
  return (
    <div className={styles.markdown} data-guarded={links === 'guarded' || undefined}>
      <Markdown remarkPlugins={PLUGINS} components={links === 'live' ? LIVE : GUARDED}>
        {text}
      </Markdown>
    </div>
  );
}
