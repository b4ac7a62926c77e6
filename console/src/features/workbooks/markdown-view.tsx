import { MarkdownText } from '../../ui/markdown-text.tsx';

/** Markdown of a workbook or a knowledge base, as its authors wrote it. */
export function MarkdownView({ text }: { readonly text: string }) {
  return <MarkdownText text={text} links="live" />;
}
