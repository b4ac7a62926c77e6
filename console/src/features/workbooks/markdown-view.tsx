import { Fragment, type ReactNode, useMemo } from 'react';
import { type Inline, type MarkdownNode, readMarkdown } from './markdown-tree.ts';
import styles from './markdown-view.module.css';

/** Markdown as elements of the page; HTML in it is shown, not obeyed. */
export function MarkdownView({ text }: { readonly text: string }) {
  const nodes = useMemo(() => readMarkdown(text), [text]);
  return <div className={styles.markdown}>{nodes.map((node, index) => withKey(index, block(node)))}</div>;
}

const withKey = (key: number, children: ReactNode): ReactNode => <Fragment key={key}>{children}</Fragment>;

function block(node: MarkdownNode): ReactNode {
  switch (node.kind) {
    case 'heading': {
      const Heading = node.level <= 1 ? 'h3' : node.level === 2 ? 'h4' : 'h5';
      return <Heading>{inlines(node.children)}</Heading>;
    }
    case 'paragraph':
      return <p>{inlines(node.children)}</p>;
    case 'quote':
      return <blockquote>{inlines(node.children)}</blockquote>;
    case 'code':
      return <pre>{node.text}</pre>;
    case 'rule':
      return <hr />;
    case 'list': {
      const List = node.ordered ? 'ol' : 'ul';
      return <List>{node.items.map((item, index) => withKey(index, <li>{inlines(item)}</li>))}</List>;
    }
  }
}

function inlines(parts: readonly Inline[]): ReactNode {
  return parts.map((part, index) => withKey(index, inline(part)));
}

function inline(part: Inline): ReactNode {
  switch (part.kind) {
    case 'text':
      return part.text;
    case 'code':
      return <code>{part.text}</code>;
    case 'strong':
      return <strong>{inlines(part.children)}</strong>;
    case 'emphasis':
      return <em>{inlines(part.children)}</em>;
    case 'link':
      return (
        <a href={part.href} target="_blank" rel="noopener noreferrer nofollow">
          {inlines(part.children)}
        </a>
      );
  }
}
