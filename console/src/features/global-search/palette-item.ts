import type { TablerIcon } from '@tabler/icons-react';

// What the palette offers, whatever it is: a page, an action, something found.

const PALETTE_GROUPS = [
  'pages',
  'actions',
  'cases',
  'signals',
  'workbooks',
  'entities',
  'events',
  'organizations',
  'people',
  'places',
] as const;
type PaletteGroup = (typeof PALETTE_GROUPS)[number];

export interface PaletteItem {
  readonly id: string;
  readonly group: PaletteGroup;
  readonly title: string;
  /** Smaller, at the right: what kind of thing, or its shortcut. */
  readonly hint?: string;
  /** More words that find it. */
  readonly words?: string;
  readonly icon: TablerIcon;
  readonly run: () => void;
}

/** What a server answers while somebody types. */
export interface FoundItems {
  readonly items: readonly PaletteItem[];
  /** What is shown does not belong to the text typed yet. */
  readonly isSearching: boolean;
  readonly isFailed: boolean;
}

/** Letters without accents and case, so that `reglages` finds `Réglages`. */
function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

/** The items whose words hold every word typed; those that begin with it come first. */
export function matchItems(items: readonly PaletteItem[], typed: string): readonly PaletteItem[] {
  const wanted = plain(typed).split(/\s+/).filter(Boolean);
  const begins = (item: PaletteItem) => plain(item.title).startsWith(plain(typed.trim()));
  const holds = (item: PaletteItem) => {
    const text = plain(`${item.title} ${item.words ?? ''}`);
    return wanted.every((word) => text.includes(word));
  };
  const found = items.filter(holds);
  return [...found.filter(begins), ...found.filter((item) => !begins(item))];
}

/** The items by group, in the order of the palette; groups without items are left out. */
export function groupItems(items: readonly PaletteItem[]): readonly (readonly PaletteItem[])[] {
  return PALETTE_GROUPS.map((group) => items.filter((item) => item.group === group)).filter(
    (group) => group.length > 0,
  );
}
