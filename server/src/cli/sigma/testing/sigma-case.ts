// What the specification says of rules over events, as lines of `sigma match` with the answers that they must get.

/** The detection of a rule, and the positions of the events that it fires on, or that it is refused. */
type Expected = readonly [detection: string, fires: readonly number[] | 'refused'];

export interface SigmaCase {
  readonly name: string;
  readonly rules: readonly string[];
  readonly events: readonly unknown[];
  readonly expected: readonly Expected[];
}

export const sigmaCase = (
  name: string,
  logSource: object,
  events: readonly unknown[],
  expected: readonly Expected[],
): SigmaCase => ({
  name,
  events,
  expected,
  rules: expected.map(
    ([detection]) => `title: A rule\nlogsource: ${JSON.stringify(logSource)}\ndetection: ${detection}\n`,
  ),
});

/** A record of the Windows event log as JSON. */
export const windowsRecord = (
  id: number,
  data: object,
  channel = 'Microsoft-Windows-Sysmon/Operational',
  provider = 'Microsoft-Windows-Sysmon',
) => ({
  Event: {
    System: {
      Provider: { '#attributes': { Name: provider } },
      EventID: id,
      Channel: channel,
      TimeCreated: { '#attributes': { SystemTime: '2026-01-05T03:04:05Z' } },
      Computer: 'pc1',
    },
    EventData: data,
  },
});
