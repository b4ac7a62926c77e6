import type { CaseSignal } from '@tyrian/contract';

// Signals as a grid of tactics and days. Only tactics that occur are columns, in the order of ATT&CK.

const TACTICS = [
  'Reconnaissance',
  'Resource Development',
  'Initial Access',
  'Execution',
  'Persistence',
  'Privilege Escalation',
  'Defense Evasion',
  'Credential Access',
  'Discovery',
  'Lateral Movement',
  'Collection',
  'Command and Control',
  'Exfiltration',
  'Impact',
] as const;

export interface TechniqueChip {
  readonly technique: string;
  readonly signals: readonly CaseSignal[];
}

export interface ChainDay {
  readonly label: string;
  readonly cells: ReadonlyMap<string, readonly TechniqueChip[]>;
}

/** `dayOf` names the day of a time in the reader's zone. */
export function killChain(
  signals: readonly CaseSignal[],
  dayOf: (time: number) => string,
): { readonly tactics: readonly string[]; readonly days: readonly ChainDay[] } {
  const days = new Map<string, Map<string, Map<string, CaseSignal[]>>>();
  for (const signal of [...signals].sort((a, b) => a.first_time - b.first_time)) {
    const tactics = entry(days, dayOf(signal.first_time), () => new Map<string, Map<string, CaseSignal[]>>());
    const techniques = entry(tactics, tacticName(signal.tactic), () => new Map<string, CaseSignal[]>());
    entry(techniques, signal.sub_technique || signal.technique || signal.name, () => []).push(signal);
  }
  const seen = new Set([...days.values()].flatMap((tactics) => [...tactics.keys()]));
  const known = TACTICS.filter((tactic) => seen.has(tactic));
  const other = [...seen].filter((tactic) => !(TACTICS as readonly string[]).includes(tactic)).sort();
  return {
    tactics: [...known, ...other],
    days: [...days].map(([label, tactics]) => ({
      label,
      cells: new Map([...tactics].map(([tactic, chips]) => [tactic, toChips(chips)])),
    })),
  };
}

/** `credential-access`, `Credential access`, `TA0006 Credential Access` are one tactic. */
export function tacticName(tactic: string): string {
  const plain = (text: string) => text.toLowerCase().replace(/[^a-z]/g, '');
  const found = TACTICS.find((name) => plain(tactic).endsWith(plain(name)));
  return found ?? (tactic || '–');
}

function toChips(techniques: ReadonlyMap<string, readonly CaseSignal[]>): TechniqueChip[] {
  return [...techniques].map(([technique, signals]) => ({ technique, signals }));
}

function entry<V>(map: Map<string, V>, key: string, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
