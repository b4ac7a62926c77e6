import type { Session } from '../lib/session-store.ts';
import { SCREENS } from './screens.ts';
import { GO_KEYS, goesSomewhere } from './use-global-keys.ts';

// Every shortcut of the console, for the sheet. Those of pages that the user cannot open are left out.

interface Shortcut {
  readonly keys: readonly string[];
  /** Key of the text in the locale files, under `keys.`; `go` takes the title of the screen. */
  readonly text: string;
  readonly screen?: string;
}

interface ShortcutGroup {
  readonly name: 'everywhere' | 'lists' | 'signals' | 'time' | 'editor';
  readonly shortcuts: readonly Shortcut[];
}

const key = (text: string, ...keys: string[]): Shortcut => ({ keys, text });
const MOD = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl';

const LISTS: readonly Shortcut[] = [
  key('move', 'j', 'k'),
  key('ends', 'Home', 'End'),
  key('open', 'Enter'),
  key('select', 'x'),
  key('loadNew', 'n'),
];
const SIGNALS: readonly Shortcut[] = [
  key('addToCase', 'c'),
  key('falsePositive', 'e'),
  key('undo', 'z'),
  key('signalEvents', 'v'),
  key('signalRule', 'r'),
  key('signalEntity', 'i'),
  key('signalCase', 'o'),
];
const TIME: readonly Shortcut[] = [
  key('widen', 't', 'z'),
  key('shift', 't', '←'),
  key('shiftOn', 't', '→'),
  key('absolute', 't', 'a'),
  key('copyRange', 't', 'c'),
  key('pasteRange', 't', 'v'),
];
const EDITOR: readonly Shortcut[] = [
  key('run', 'Shift', 'Enter'),
  key('complete', MOD, 'Space'),
  key('comment', MOD, '/'),
  key('fix', MOD, '.'),
  key('format', 'Shift', 'Alt', 'F'),
  key('leaveEditor', 'Esc'),
  key('toEditor', '/'),
  key('toResults', 'r'),
];

/** The shortcuts that do something for this user, in groups. */
export function shortcutsFor(session: Session): readonly ShortcutGroup[] {
  const hasScreen = (routeName: string) => SCREENS[routeName] !== undefined;
  const go = Object.entries(GO_KEYS)
    .filter(([, target]) => goesSomewhere(session, target, hasScreen))
    .map(([letter, target]): Shortcut => ({ keys: ['g', letter], text: 'go', screen: target.page }));
  const isAnalyst = session.tags.includes('engineer') || session.tags.includes('analyst');
  const groups: ShortcutGroup[] = [
    {
      name: 'everywhere',
      shortcuts: [
        key('palette', MOD, 'K'),
        key('sheet', '?'),
        key('close', 'Esc'),
        key('bell', 'g', 'b'),
        ...go,
      ],
    },
    { name: 'lists', shortcuts: LISTS },
    { name: 'signals', shortcuts: isAnalyst ? SIGNALS : [] },
    { name: 'time', shortcuts: isAnalyst || session.tags.includes('viewer') ? TIME : [] },
    { name: 'editor', shortcuts: isAnalyst ? EDITOR : [] },
  ];
  return groups.filter((group) => group.shortcuts.length > 0);
}
