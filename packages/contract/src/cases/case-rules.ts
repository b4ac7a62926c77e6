import type { CaseStatus, Resolution } from './case.ts';

// Which status may follow which, and what each asks for. The server enforces these rules; the console
// reads them to offer only what will be accepted.

export const NEXT_STATUSES: Readonly<Record<CaseStatus, readonly CaseStatus[]>> = {
  OPEN: ['IN-PROGRESS', 'ON-HOLD', 'CLOSED'],
  'IN-PROGRESS': ['ON-HOLD', 'CLOSED'],
  'ON-HOLD': ['IN-PROGRESS', 'CLOSED'],
  CLOSED: ['OPEN'],
};

export type StatusRefusal = 'same-status' | 'transition' | 'handler-missing' | 'resolution-missing';

/** Why the change is refused; null when it is allowed. */
export function refuseStatusChange(change: {
  readonly from: CaseStatus;
  readonly to: CaseStatus;
  readonly hasHandler: boolean;
  readonly resolution: Resolution | null;
}): StatusRefusal | null {
  if (change.from === change.to) return 'same-status';
  if (!NEXT_STATUSES[change.from].includes(change.to)) return 'transition';
  if (change.to === 'IN-PROGRESS' && !change.hasHandler) return 'handler-missing';
  if (change.to === 'CLOSED' && change.resolution === null) return 'resolution-missing';
  return null;
}

/** A closed case is read-only until it is opened again; exporting and reading stay possible. */
export function isReadOnly(status: CaseStatus): boolean {
  return status === 'CLOSED';
}

/** The statuses that the case picker of the notes panel offers. */
export const PICKER_STATUSES: readonly CaseStatus[] = ['OPEN', 'ON-HOLD', 'IN-PROGRESS'];

/** What the picker shows: open work, and the case at hand even when it is closed. */
export function pickerCases<C extends { case_id: string; status: CaseStatus; case_name: string }>(
  cases: readonly C[],
  current?: C,
  search = '',
): C[] {
  const listed = cases.filter((one) => PICKER_STATUSES.includes(one.status));
  const missing = current?.status === 'CLOSED' && !listed.some((one) => one.case_id === current.case_id);
  const all = missing && current ? [...listed, current] : listed;
  return all.filter((one) => matchesCaseName(one.case_name, search));
}

/** Case-insensitive substring match on the name. */
export function matchesCaseName(name: string, search: string): boolean {
  return name.toLocaleLowerCase().includes(search.trim().toLocaleLowerCase());
}
