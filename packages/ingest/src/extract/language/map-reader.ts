import type { FaultList, YamlMapping, YamlNode, YamlPlace } from './extractor-yaml.ts';
import { nearestName } from './nearest-name.ts';

// Reads the keys of one map of YAML, exactly: what is no key, has another type or is missing becomes a fault.

export class MapReader {
  readonly #map: YamlMapping;
  readonly faults: FaultList;
  readonly place: YamlPlace;

  constructor(map: YamlMapping, known: readonly string[], faults: FaultList) {
    this.#map = map;
    this.place = map;
    this.faults = faults;
    for (const { key, keyAt } of map.entries) {
      if (known.includes(key)) continue;
      const meant = nearestName(key, known);
      if (meant === undefined) faults.add({ at: keyAt }, 'unknown-key', { key, known: known.join(', ') });
      else faults.add({ at: keyAt }, 'unknown-key-meant', { key, meant });
    }
  }

  node(key: string): YamlNode | undefined {
    const value = this.#map.entries.find((entry) => entry.key === key)?.value;
    return value?.kind === 'scalar' && value.value === null ? undefined : value;
  }

  placeOf(key: string): YamlPlace {
    const entry = this.#map.entries.find((one) => one.key === key);
    return entry === undefined ? this.place : { at: entry.keyAt };
  }

  has(key: string): boolean {
    return this.node(key) !== undefined;
  }

  /** Says that a key is missing, when it is. */
  demand(key: string): void {
    if (!this.has(key)) this.faults.add(this.place, 'key-missing', { key });
  }

  text(key: string, most = 1_000): string | undefined {
    const node = this.node(key);
    return node === undefined ? undefined : textOf(node, key, this.faults, most);
  }

  whole(key: string, least: number, most: number): number | undefined {
    const node = this.node(key);
    if (node === undefined) return undefined;
    const value = node.kind === 'scalar' ? node.value : undefined;
    if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value;
    this.faults.add(node, 'not-a-whole-number', { key, least, most });
    return undefined;
  }

  /** True or false; false where the key is absent. */
  truth(key: string): boolean {
    const node = this.node(key);
    if (node === undefined) return false;
    if (node.kind === 'scalar' && typeof node.value === 'boolean') return node.value;
    this.faults.add(node, 'not-a-truth', { key });
    return false;
  }

  /** A list of texts, or one text alone, each with its place. */
  texts(key: string, most: number, longest = 1_000): readonly (YamlPlace & { readonly text: string })[] {
    const items = this.items(key, most);
    return items.flatMap((item) => {
      const text = textOf(item, key, this.faults, longest);
      return text === undefined ? [] : [{ at: item.at, text }];
    });
  }

  items(key: string, most: number): readonly YamlNode[] {
    const node = this.node(key);
    if (node === undefined) return [];
    if (node.kind === 'map') {
      this.faults.add(node, 'not-a-list', { key });
      return [];
    }
    if (node.kind === 'scalar') return [node];
    if (node.items.length === 0) this.faults.add(node, 'empty-list', { key });
    if (node.items.length > most) this.faults.add(node, 'too-many', { key, most });
    return node.items.slice(0, most);
  }

  map(key: string, most = 500): YamlMapping | undefined {
    const node = this.node(key);
    if (node === undefined) return undefined;
    if (node.kind !== 'map') {
      this.faults.add(node, 'not-a-map-of', { key });
      return undefined;
    }
    if (node.entries.length > most) this.faults.add(node, 'too-many', { key, most });
    return node;
  }
}

/** The text of a scalar; numbers and truth values as they are written. */
export function textOf(node: YamlNode, key: string, faults: FaultList, most = 1_000): string | undefined {
  if (node.kind !== 'scalar' || node.value === null) {
    faults.add(node, 'not-a-text', { key });
    return undefined;
  }
  if (node.text.length > most) faults.add(node, 'text-too-long', { key, most });
  return node.text;
}
