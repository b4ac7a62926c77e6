import type { DemoLine, DemoWorld } from './demo-line.ts';
import { auditNoise, cloudNoise, signInNoise, syslogNoise } from './linux-and-cloud-noise.ts';
import { dnsNoise, firewallNoise, proxyNoise } from './network-noise.ts';
import { windowsNoise } from './windows-noise.ts';

type Noise = (world: DemoWorld, timeMs: number) => DemoLine;

/** Shares of the sources in an ordinary day; they add up to 1. */
const MIX: readonly (readonly [share: number, noise: Noise])[] = [
  [0.29, firewallNoise],
  [0.21, dnsNoise],
  [0.15, proxyNoise],
  [0.24, windowsNoise],
  [0.04, auditNoise],
  [0.03, syslogNoise],
  [0.02, signInNoise],
  [0.02, cloudNoise],
];

/** One ordinary event of the company, of whatever source. */
export function ordinaryEvent(world: DemoWorld, timeMs: number): DemoLine {
  let left = world.random.next();
  for (const [share, noise] of MIX) {
    if (left < share) return noise(world, timeMs);
    left -= share;
  }
  return firewallNoise(world, timeMs);
}
