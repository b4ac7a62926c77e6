import { describe, expect, it } from 'vitest';
import {
  caseSelection,
  OPEN_WORK,
  readCaseListState,
  toggled,
  writeCaseListState,
} from './case-list-state.ts';

const read = (query: string) => readCaseListState(new URLSearchParams(query));

describe('the state of the case list', () => {
  it('shows everything that is not closed, newest first, unless told otherwise', () => {
    expect(read('')).toEqual({
      statuses: OPEN_WORK,
      severities: [],
      handlers: [],
      search: '',
      sort: { id: 'created', desc: true },
    });
    expect(caseSelection(read('')).addfilters).toEqual([
      {
        filter_condition: 'AND',
        filter_key: 'status',
        filter_operand: 'in',
        filter_value: ['OPEN', 'IN-PROGRESS', 'ON-HOLD'],
      },
    ]);
  });

  it.each([
    '',
    'q=mail',
    'status=all',
    'status=CLOSED&severity=Critical&severity=High&handler=u1',
    'sort=severity.asc',
  ])('comes back out of the address "%s"', (query) => {
    expect(writeCaseListState(read(query)).toString()).toBe(query);
  });

  it('[S3-13] asks with filters of the wire form, and with none for all statuses', () => {
    expect(caseSelection(read('status=all')).addfilters).toEqual([]);
    const filters = caseSelection(read('severity=High&handler=u1')).addfilters ?? [];
    expect(filters.map((one) => one.filter_key)).toEqual(['status', 'severity', 'handler']);
  });

  it('ignores what is no status or severity', () => {
    expect(read('status=LOST&severity=Awful')).toMatchObject({ statuses: OPEN_WORK, severities: [] });
  });

  it('toggles a value', () => {
    expect(toggled(['a'], 'b')).toEqual(['a', 'b']);
    expect(toggled(['a', 'b'], 'a')).toEqual(['b']);
  });
});
