import { describe, expect, it } from 'vitest';
import { EMPTY_LINK, readSearchLink, type SearchLink, writeSearchLink } from './search-link.ts';

const there = (link: SearchLink): SearchLink =>
  readSearchLink(new URLSearchParams(writeSearchLink(link).toString()));

describe('the link of a search', () => {
  it('says everything that is shown, there and back', () => {
    const link: SearchLink = {
      script: 'Dns\n\nEvents',
      all: true,
      tab: 2,
      saved: 'q1w2e3',
      panel: 'history',
      query: 'ProcessEvent\n| where CommandLine has "a&b=c#d" and Названиe == "密码"\n| take 5',
      from: '2026-01-01T00:00:00.000Z',
      to: 'now',
      zone: 'Asia/Kolkata',
      shape: '1x9k3f',
      limit: 10_000,
      columns: ['TimeGenerated', 'odd,name', 'back\\slash'],
      widths: { TimeGenerated: 184, 'odd,name:9': 60 },
      sort: { column: '-minus', descending: true },
      row: 17,
      stack: 'Stream',
      view: 'chart',
    };
    expect(there(link)).toEqual(link);
    expect(there({ ...link, sort: { column: 'Time', descending: false } }).sort).toEqual({
      column: 'Time',
      descending: false,
    });
  });

  it('falls back to the defaults on what is missing or unreadable', () => {
    expect(
      readSearchLink(
        new URLSearchParams(
          'row=x&limit=0&shape=A/&view=cube&sort=-&panel=x&saved=a/b&all=2&widths=a:b,c,:90',
        ),
      ),
    ).toEqual(EMPTY_LINK);
    expect(there(EMPTY_LINK)).toEqual(EMPTY_LINK);
  });
});
