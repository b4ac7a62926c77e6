import { expect, it } from 'vitest';
import { KERNEL_DROPS } from '../sources/ingest-source.ts';
import { createKernelDrops, dropsIn } from './kernel-drops.ts';

const HEAD =
  '   sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode ref pointer drops\n';
const row = (port: number, inode: number, drops: number) =>
  `  42: 00000000:${port.toString(16).toUpperCase().padStart(4, '0')} 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 ${inode} 2 0000000000000000 ${drops}   \n`;

it('[T-ACCOUNTING] datagrams that the kernel dropped on our ports are counted once, for no source', async () => {
  expect([...dropsIn(HEAD + row(5514, 7, 3) + row(53, 8, 9), new Set([5514]))]).toEqual([['7', 3]]);
  const counted: unknown[] = [];
  let table = HEAD + row(5514, 7, 3) + row(53, 8, 9);
  const drops = createKernelDrops({
    sources: { refuse: (reason, address, by) => counted.push([reason, address, by]) },
    ports: () => [5514, 0],
    read: async (path) => {
      if (path.endsWith('udp6')) throw new Error('there is none');
      return table;
    },
  });
  await drops.look();
  await drops.look();
  table = HEAD + row(5514, 7, 10) + row(53, 8, 99);
  await drops.look();
  expect(counted).toEqual([
    [KERNEL_DROPS, '', 3],
    [KERNEL_DROPS, '', 7],
  ]);
});
