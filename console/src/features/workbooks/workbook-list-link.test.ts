import { describe, expect, it } from 'vitest';
import {
  isFiltered,
  readWorkbookListLink,
  workbookFilters,
  writeWorkbookListLink,
} from './workbook-list-link.ts';

describe('the link of the list of workbooks', () => {
  it('says everything that is shown, there and back', () => {
    const link = readWorkbookListLink(
      new URLSearchParams(
        'search=a%26b&folder=Detections/Windows&mode=streamed&enabled=false&sort=updated&order=desc',
      ),
    );
    expect(link).toMatchObject({
      search: 'a&b',
      folder: 'Detections/Windows',
      enabled: 'false',
      order: 'desc',
    });
    expect(readWorkbookListLink(new URLSearchParams(writeWorkbookListLink(link).toString()))).toEqual(link);
  });

  it('asks the server for what is chosen and nothing else', () => {
    const link = readWorkbookListLink(new URLSearchParams('enabled=true&sort=bogus'));
    expect(link.sort).toBe('name');
    expect(workbookFilters(link)).toEqual([
      { filter_condition: 'AND', filter_key: 'enabled', filter_operand: 'exact', filter_value: true },
    ]);
    expect(isFiltered(readWorkbookListLink(new URLSearchParams()))).toBe(false);
  });
});
