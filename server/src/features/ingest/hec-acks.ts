// Acknowledgements of HEC. A batch is answered when its events are durable, so an id that was handed out is acknowledged
// from the beginning. Ids are signed for their source and channel: nothing is kept, and every process of the ingest role
// knows the ids of all others.

/** A channel is a GUID. */
const CHANNEL = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const NUMBERS = 2 ** 20;
const MARKS = 2 ** 32;
/** Ids that may be asked for at once. */
const MAX_ASKED = 10_000;

export interface HecAcks {
  /** An id for a batch that is durable; a whole number below 2^52. */
  issue(sourceId: string, channel: string): number;
  /** For each id whether it was handed out to this source on this channel; undefined for a body that asks nothing. */
  ask(sourceId: string, channel: string, body: string): Readonly<Record<string, boolean>> | undefined;
}

export function isChannel(channel: string): boolean {
  return CHANNEL.test(channel);
}

/** `sign`: a keyed hash that the processes of the ingest role share. `first`: where the numbers of this process begin. */
export function createHecAcks(sign: (text: string) => Buffer, first: number): HecAcks {
  let next = first % NUMBERS;
  const markOf = (sourceId: string, channel: string, number: number) =>
    sign(`${sourceId} ${channel.toLowerCase()} ${number}`).readUInt32BE(0);
  const isOurs = (sourceId: string, channel: string, id: unknown): boolean => {
    if (typeof id !== 'number' || !Number.isSafeInteger(id) || id < 0) return false;
    const number = Math.floor(id / MARKS);
    return number < NUMBERS && id % MARKS === markOf(sourceId, channel, number);
  };
  return {
    issue: (sourceId, channel) => {
      const number = next;
      next = (next + 1) % NUMBERS;
      return number * MARKS + markOf(sourceId, channel, number);
    },
    ask: (sourceId, channel, body) => {
      let asked: unknown;
      try {
        asked = (JSON.parse(body) as { acks?: unknown } | null)?.acks;
      } catch {
        return undefined;
      }
      if (!Array.isArray(asked) || asked.length > MAX_ASKED) return undefined;
      return Object.fromEntries(asked.map((id) => [String(id), isOurs(sourceId, channel, id)]));
    },
  };
}
