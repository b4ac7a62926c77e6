import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
import { EXTRACTOR_FAULTS, type ExtractorFault, type ExtractorFaultCode } from './extractor.ts';

// YAML text to plain values that know where they stand, within bounds of letters, depth and number. Anchors and aliases
// are refused: they save a writer little, and a few lines of them unfold to billions of values.

const LONGEST_TEXT = 256 * 1024;
const DEEPEST = 12;
const MOST_VALUES = 20_000;

export interface YamlPlace {
  /** Offset into the text. */
  readonly at: number;
}

export type YamlNode =
  | (YamlPlace & {
      readonly kind: 'scalar';
      readonly value: string | number | boolean | null;
      readonly text: string;
    })
  | (YamlPlace & { readonly kind: 'list'; readonly items: readonly YamlNode[] })
  | (YamlPlace & { readonly kind: 'map'; readonly entries: readonly YamlPair[] });
export type YamlMapping = Extract<YamlNode, { kind: 'map' }>;

export interface YamlPair {
  readonly key: string;
  readonly keyAt: number;
  readonly value: YamlNode;
}

type Values = Readonly<Record<string, string | number>>;

/** Words of a user that a sentence repeats are cut to this. */
const shown = (value: string | number) =>
  typeof value === 'string' && value.length > 80 ? `${value.slice(0, 77)}...` : value;

/** The English sentence of a fault. */
function extractorFaultText(code: ExtractorFaultCode, values: Values): string {
  return EXTRACTOR_FAULTS[code].replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''));
}

/** Gathers what is wrong with a text, each once with its place. */
export class FaultList {
  readonly list: ExtractorFault[] = [];
  readonly lines = new LineCounter();

  add(
    place: YamlPlace,
    code: ExtractorFaultCode,
    values: Values = {},
    severity: 'error' | 'warning' = 'error',
  ): void {
    if (this.list.length >= 100) return;
    const { line, col } = this.lines.linePos(place.at);
    const said = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, shown(value)]));
    this.list.push({
      line: Math.max(1, line),
      column: Math.max(1, col),
      severity,
      code,
      values: said,
      message: extractorFaultText(code, said),
    });
  }

  warn(place: YamlPlace, code: ExtractorFaultCode, values: Values = {}): void {
    this.add(place, code, values, 'warning');
  }

  get hasErrors(): boolean {
    return this.list.some(({ severity }) => severity === 'error');
  }
}

const START: YamlPlace = { at: 0 };

/** Brackets or indents that open one within the other far beyond the bound; the library would go as deep as they do. */
function isFarTooDeep(text: string): boolean {
  let open = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x5b || code === 0x7b) open += 1;
    else if (code === 0x5d || code === 0x7d) open = Math.max(0, open - 1);
    if (open > 200) return true;
  }
  return /(?:- ){100}|(?:\? ){100}/.test(text);
}

class NodeReader {
  #left = MOST_VALUES;
  readonly #faults: FaultList;

  constructor(faults: FaultList) {
    this.#faults = faults;
  }

  read(node: unknown, depth: number, around: number): YamlNode | undefined {
    const at = (node as { range?: readonly number[] | null } | null)?.range?.[0] ?? around;
    this.#left -= 1;
    if (this.#left < 0) return this.#refuse({ at }, 'too-many-values', { most: MOST_VALUES });
    if (depth > DEEPEST) return this.#refuse({ at }, 'too-deep', { most: DEEPEST });
    if (isAlias(node) || (node as { anchor?: string } | null)?.anchor !== undefined)
      return this.#refuse({ at }, 'alias');
    if (isScalar(node)) return scalarNode(node.value, node.source, at);
    if (isSeq(node)) {
      const items = node.items.map((item) => this.read(item, depth + 1, at));
      return { kind: 'list', at, items: items.filter((item) => item !== undefined) };
    }
    if (isMap(node)) return { kind: 'map', at, entries: this.#pairs(node.items, depth, at) };
    return { kind: 'scalar', at, value: null, text: '' };
  }

  #pairs(pairs: readonly { key: unknown; value: unknown }[], depth: number, at: number): YamlPair[] {
    const entries: YamlPair[] = [];
    const seen = new Set<string>();
    for (const pair of pairs) {
      const key = this.read(pair.key, depth + 1, at);
      if (key === undefined) continue;
      const name = key.kind === 'scalar' ? key.text : '';
      if (seen.has(name)) this.#faults.add(key, 'key-twice', { key: name });
      seen.add(name);
      const value = this.read(pair.value, depth + 1, key.at);
      if (value !== undefined) entries.push({ key: name, keyAt: key.at, value });
    }
    return entries;
  }

  #refuse(place: YamlPlace, code: ExtractorFaultCode, values: Values = {}): undefined {
    if (!this.#faults.list.some((one) => one.code === code)) this.#faults.add(place, code, values);
    return undefined;
  }
}

function scalarNode(value: unknown, source: string | undefined, at: number): YamlNode {
  const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  const plain = isPlain ? value : null;
  const text =
    typeof value === 'string'
      ? value
      : (source ?? (value === null || value === undefined ? '' : String(value)));
  return { kind: 'scalar', at, value: plain, text };
}

/** The map that a text is; undefined with faults in the list when it is none. */
export function readExtractorYaml(text: string, faults: FaultList): YamlMapping | undefined {
  if (text.length > LONGEST_TEXT) {
    faults.add(START, 'too-long', { most: LONGEST_TEXT });
    return undefined;
  }
  if (isFarTooDeep(text)) {
    faults.add(START, 'too-deep', { most: DEEPEST });
    return undefined;
  }
  try {
    const document = parseDocument(text, {
      version: '1.2',
      merge: false,
      uniqueKeys: false,
      prettyErrors: false,
      logLevel: 'silent',
      lineCounter: faults.lines,
    });
    for (const error of document.errors.slice(0, 10))
      faults.add({ at: error.pos[0] }, 'not-yaml', { why: error.message });
    if (faults.hasErrors) return undefined;
    const node = new NodeReader(faults).read(document.contents, 0, 0);
    if (faults.hasErrors || node === undefined) return undefined;
    if (node.kind === 'map') return node;
    faults.add(node, 'not-a-map');
  } catch (error) {
    faults.add(START, 'not-yaml', { why: error instanceof Error ? error.message : String(error) });
  }
  return undefined;
}
