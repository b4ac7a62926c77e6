import { describe, expect, it } from 'vitest';
import { identifiersNamed, requirementLines } from './named-identifiers.mjs';
import { GENERATED, stateOf } from './requirement-states.ts';
import { trackedFiles } from './tracked-files.mjs';

const RIGHTS = 'packages/contract/src/access/route-table.test.ts';
const ONE = 'server/src/features/signals/signals-routes.test.ts';

describe('which identifiers a test names', () => {
  // Written with other brackets, so that this file itself names nothing.
  it.each([
    ["it('<S4-11><C078> composes', …)", ['S4-11', 'C078']],
    ["it.each(rows)('<R-C18> <S2-01, S2-02> %s', …)", ['R-C18', 'S2-01', 'S2-02']],
    ['describe(`<S07> held`, …)', ['S07']],
    ["it('<T-storage><signals.read> both', …)", ['T-storage', 'signals.read']],
    ["it('<%s> of a row', …)", []],
    ["const range = '<A-Za-z>'; // <S4-11> said in passing", []],
  ])('%s', (text, ids) => {
    expect(identifiersNamed(text.replaceAll('<', '[').replaceAll('>', ']'))).toEqual(ids);
  });

  it('counts the lines of the page, and takes no empty one', () => {
    const page = '- **S4-11** One.\n- **S4-11** Again.\n- **C078** \n| **C079** | no |\n';
    expect([...requirementLines(page)]).toEqual([['S4-11', 2]]);
  });
});

describe('how far a requirement is', () => {
  it('is named by no test, whatever it asks for', () => {
    expect(stateOf('C071', [])).toBe('not named');
  });

  it('is guarded where only generated tests name it and none of its screens is built', () => {
    expect(stateOf('S2-52', [RIGHTS])).toBe('guarded');
    expect(stateOf('S2-90', [RIGHTS])).toBe('guarded');
    expect(stateOf('S6-28', [RIGHTS])).toBe('guarded');
  });

  it('is proven by a test of its own, by any test of a screen that stands, and where it needs no screen', () => {
    expect(stateOf('S2-52', [RIGHTS, ONE])).toBe('proven');
    expect(stateOf('S2-33', [RIGHTS])).toBe('proven');
    expect(stateOf('S6-24', [RIGHTS])).toBe('proven');
    expect(stateOf('S4-11', [RIGHTS])).toBe('proven');
  });

  it('knows generated tests that are there', () => {
    const files = trackedFiles(new URL('..', import.meta.url).pathname);
    expect([...GENERATED].filter((file) => !files.includes(file))).toEqual([]);
  });
});
