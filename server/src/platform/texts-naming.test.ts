import { describe, expect, it } from 'vitest';
import { likeWords, textsNaming } from './texts-naming.ts';

describe('texts that name something', () => {
  it('hold it as a whole word, whatever its case', () => {
    const texts = [
      { id: '1', name: 'joins', body: 'process | join Badges on x'.toLowerCase() },
      { id: '2', name: 'longer', body: 'badges_old | count' },
      { id: '3', name: 'other', body: 'dns' },
    ];
    const found = textsNaming(['Badges', 'Dns', 'Nothing'], texts);
    expect(found.get('Badges')).toEqual([{ id: '1', name: 'joins' }]);
    expect(found.get('Dns')).toEqual([{ id: '3', name: 'other' }]);
    expect(found.get('Nothing')).toEqual([]);
    expect(likeWords(['a_B%'])).toEqual(['%a\\_b\\%%']);
  });
});
