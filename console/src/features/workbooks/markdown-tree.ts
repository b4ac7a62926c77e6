// Markdown as a tree, without HTML: what authors and events write is never markup of the page. Headings, lists,
// quotes, code, rules, emphasis and links; whatever else is written stays text.

export type Inline =
  | { readonly kind: 'text' | 'code'; readonly text: string }
  | { readonly kind: 'strong' | 'emphasis'; readonly children: readonly Inline[] }
  | { readonly kind: 'link'; readonly href: string; readonly children: readonly Inline[] };

export type MarkdownNode =
  | { readonly kind: 'heading'; readonly level: number; readonly children: readonly Inline[] }
  | { readonly kind: 'paragraph' | 'quote'; readonly children: readonly Inline[] }
  | { readonly kind: 'list'; readonly ordered: boolean; readonly items: readonly (readonly Inline[])[] }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'rule' };

const FENCE = /^\s*(```|~~~)/;
const HEADING = /^(#{1,6})\s+(.*?)\s*#*\s*$/;
const ITEM = /^\s*(?:([-*+])|\d{1,9}[.)])\s+(.*)$/;
const QUOTE = /^\s*>\s?(.*)$/;
const RULE = /^\s*([-*_])(?:\s*\1){2,}\s*$/;

/** Reads Markdown; every text gives a tree. */
export function readMarkdown(text: string): MarkdownNode[] {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  const nodes: MarkdownNode[] = [];
  let at = 0;
  while (at < lines.length) {
    const [node, next] = readNode(lines, at);
    if (node) nodes.push(node);
    at = next;
  }
  return nodes;
}

function readNode(lines: readonly string[], at: number): [MarkdownNode | null, number] {
  const line = lines[at] ?? '';
  if (line.trim() === '') return [null, at + 1];
  if (FENCE.test(line)) return readFenced(lines, at);
  const heading = HEADING.exec(line);
  if (heading) {
    return [
      { kind: 'heading', level: heading[1]?.length ?? 1, children: readInline(heading[2] ?? '') },
      at + 1,
    ];
  }
  if (RULE.test(line)) return [{ kind: 'rule' }, at + 1];
  if (ITEM.test(line)) return readList(lines, at);
  if (QUOTE.test(line)) return readRun(lines, at, 'quote', (each) => QUOTE.exec(each)?.[1]);
  return readRun(lines, at, 'paragraph', (each) => (startsOther(each) ? undefined : each));
}

const startsOther = (line: string): boolean =>
  line.trim() === '' || [FENCE, HEADING, RULE, ITEM, QUOTE].some((pattern) => pattern.test(line));

function readRun(
  lines: readonly string[],
  at: number,
  kind: 'paragraph' | 'quote',
  content: (line: string) => string | undefined,
): [MarkdownNode, number] {
  const parts: string[] = [];
  let next = at;
  for (; next < lines.length; next++) {
    const part = content(lines[next] ?? '');
    if (part === undefined) break;
    parts.push(part.trim());
  }
  return [{ kind, children: readInline(parts.join(' ')) }, Math.max(next, at + 1)];
}

function readFenced(lines: readonly string[], at: number): [MarkdownNode, number] {
  const fence = FENCE.exec(lines[at] ?? '')?.[1] ?? '```';
  let end = at + 1;
  while (end < lines.length && !(lines[end] ?? '').trim().startsWith(fence)) end++;
  return [{ kind: 'code', text: lines.slice(at + 1, end).join('\n') }, end + 1];
}

function readList(lines: readonly string[], at: number): [MarkdownNode, number] {
  const ordered = ITEM.exec(lines[at] ?? '')?.[1] === undefined;
  const items: string[] = [];
  let next = at;
  for (; next < lines.length; next++) {
    const line = lines[next] ?? '';
    const item = ITEM.exec(line);
    if (item && (item[1] === undefined) === ordered) items.push(item[2] ?? '');
    else if (/^\s{2,}\S/.test(line) && items.length > 0) items[items.length - 1] += ` ${line.trim()}`;
    else break;
  }
  return [{ kind: 'list', ordered, items: items.map((item) => readInline(item)) }, next];
}

const INLINE =
  /(`+)([\s\S]+?)\1|\*\*([\s\S]+?)\*\*|__([\s\S]+?)__|\*([^*\s][^*]*)\*|\[([^\]]+)\]\(([^)\s]+)\)|(https?:\/\/[^\s<>)"']+)/;

/** Emphasis, code and links inside a line. */
export function readInline(text: string, depth = 0): Inline[] {
  const parts: Inline[] = [];
  let rest = text;
  while (rest !== '') {
    const found = depth < 4 ? INLINE.exec(rest) : null;
    if (!found) break;
    if (found.index > 0) parts.push({ kind: 'text', text: rest.slice(0, found.index) });
    parts.push(inlineOf(found, depth));
    rest = rest.slice(found.index + found[0].length);
  }
  if (rest !== '') parts.push({ kind: 'text', text: rest });
  return parts;
}

function inlineOf(found: RegExpExecArray, depth: number): Inline {
  const [all, , code, strong, strong2, emphasis, label, target, address] = found;
  if (code !== undefined) return { kind: 'code', text: code };
  const bold = strong ?? strong2;
  if (bold !== undefined) return { kind: 'strong', children: readInline(bold, depth + 1) };
  if (emphasis !== undefined) return { kind: 'emphasis', children: readInline(emphasis, depth + 1) };
  const href = safeAddress(target ?? address ?? '');
  if (href === null) return { kind: 'text', text: all };
  const children: Inline[] =
    label === undefined ? [{ kind: 'text', text: all }] : readInline(label, depth + 1);
  return { kind: 'link', href, children };
}

/** Web addresses only: no scripts, no data, nothing that the page itself would open. */
function safeAddress(address: string): string | null {
  try {
    const { protocol, href } = new URL(address);
    return protocol === 'https:' || protocol === 'http:' ? href : null;
  } catch {
    return null;
  }
}
