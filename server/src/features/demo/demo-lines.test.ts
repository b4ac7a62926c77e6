import { decodeText } from '@tyrian/ingest';
import { describe, expect, it } from 'vitest';
import { buildCompany } from './demo-company.ts';
import { ordinaryEvent } from './demo-noise.ts';
import { PAST_SCENARIOS, PLANNED_TENANTS, SCENARIOS } from './demo-plan.ts';
import { createRandom } from './seeded-random.ts';
import { slotsOf } from './working-rhythm.ts';

const NOW = Date.UTC(2026, 5, 10, 12);
const worldOf = (seed: number) => ({ company: buildCompany(1), random: createRandom(seed) });

describe('lines of the demo', () => {
  it('are understood by a decoder, with their own time', () => {
    const world = worldOf(7);
    const lines = Array.from({ length: 4000 }, (_, n) => ordinaryEvent(world, NOW - n * 5000));
    for (const scenario of SCENARIOS) lines.push(...scenario.tell(world, NOW - 3_600_000));
    for (const line of lines) {
      const event = decodeText(line.text, NOW);
      expect([event.status, line.text], line.text).toEqual(['PAD', line.text]);
      // Access logs and cloud records know whole seconds only.
      expect(Math.abs((event.time ?? 0) - line.timeMs)).toBeLessThan(1000);
      expect(line.text).not.toContain('\n');
    }
    const streams = new Set(lines.map((line) => decodeText(line.text, NOW).stream));
    expect([...streams].sort()).toEqual(
      expect.arrayContaining(['Authentication', 'CloudAudit', 'Dns', 'WebSession']),
    );
  });

  it('are the same for the same seed, and vary with it', () => {
    const told = (seed: number) =>
      SCENARIOS.map((scenario) => scenario.tell(worldOf(seed), NOW).map((line) => line.text));
    expect(told(3)).toEqual(told(3));
    expect(told(3)).not.toEqual(told(4));
  });

  it('tell each scenario in order and within its time', () => {
    for (const scenario of SCENARIOS) {
      const times = scenario.tell(worldOf(5), NOW).map((line) => line.timeMs);
      expect(times).toEqual([...times].sort((a, b) => a - b));
      expect((times.at(-1) ?? 0) - NOW).toBeLessThan(scenario.lastsMs);
    }
  });

  it('share a day out by the rhythm of work, and lose none', () => {
    const slots = slotsOf(NOW - 86_400_000, NOW, 520_000);
    expect(slots.reduce((sum, slot) => sum + slot.events, 0)).toBe(520_000);
    const at = (hour: number) =>
      slots.find((slot) => new Date(slot.fromMs).getUTCHours() === hour)?.events ?? 0;
    expect(at(10)).toBeGreaterThan(4 * at(3));
    const shares = PLANNED_TENANTS.flatMap((tenant) => tenant.scopes.map((scope) => scope.share));
    expect(shares.reduce((a, b) => a + b, 0)).toBeCloseTo(1);
    expect(new Set(PAST_SCENARIOS.map((planned) => planned.scenario)).size).toBe(SCENARIOS.length);
  });
});
