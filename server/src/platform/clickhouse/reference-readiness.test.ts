import { say } from '@tyrian/contract';
import { expect, it } from 'vitest';
import { createLog } from '../log.ts';
import { createReferenceReadiness } from './reference-readiness.ts';

const ASKS = "SELECT dictGet('tyrian_reference.ip_country', 'country', toUInt64(4), toInt64(1))";
const log = createLog('silent');
const addresses = (load: () => Promise<'whole' | 'part'>) => ({
  name: 'the address database',
  shown: say('words.addressDatabase'),
  mark: 'tyrian_reference.ip_country',
  load,
});

it('lets other statements pass without loading anything', async () => {
  const countries = createReferenceReadiness(
    addresses(() => Promise.reject(new Error('never asked'))),
    log,
  );
  await countries.awaitFor('SELECT 1');
});

it('refuses while the address database is still being loaded, and answers afterwards', async () => {
  let done: () => void = () => undefined;
  const load = () =>
    new Promise<'whole'>((resolve) => {
      done = () => resolve('whole');
    });
  const countries = createReferenceReadiness(addresses(load), log, 20);
  await expect(countries.awaitFor(ASKS)).rejects.toMatchObject({
    kind: 'unavailable',
    message: expect.stringContaining('still being loaded'),
  });
  done();
  await countries.awaitFor(ASKS);
});

it('says that a load has failed, and tries again', async () => {
  let attempts = 0;
  const load = async () => {
    attempts += 1;
    if (attempts === 1) throw new Error('no disk');
    return 'whole' as const;
  };
  const countries = createReferenceReadiness(addresses(load), log);
  await expect(countries.awaitFor(ASKS)).rejects.toMatchObject({ kind: 'unavailable' });
  await countries.awaitFor(ASKS);
  expect(attempts).toBe(2);
});

it('[T-machines] looks again for what a part of the engines could not load, and does not hold anybody up', async () => {
  let attempts = 0;
  const load = async () => {
    attempts += 1;
    return attempts === 1 ? ('part' as const) : ('whole' as const);
  };
  const countries = createReferenceReadiness(addresses(load), log);
  for (let asked = 0; asked < 4; asked += 1) await countries.awaitFor(ASKS);
  expect(attempts).toBe(2);
});
