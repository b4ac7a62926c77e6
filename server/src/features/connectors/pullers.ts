import { type ConnectorEngine, say } from '@tyrian/contract';
import { ConnectorError } from './connector-error.ts';
import { httpPoller } from './http-poller.ts';
import { kafkaPuller } from './kafka-puller.ts';
import type { Puller } from './puller.ts';
import { s3Puller } from './s3-puller.ts';

const PULLERS: Readonly<Partial<Record<ConnectorEngine, unknown>>> = {
  http: httpPoller,
  s3: s3Puller,
  kafka: kafkaPuller,
};

/** What fetches for an engine. Throws ConnectorError for one to which senders push. */
export function pullerOf(engine: ConnectorEngine): Puller<unknown> {
  const puller = PULLERS[engine] as Puller<unknown> | undefined;
  if (puller === undefined) throw new ConnectorError(say('connectors.nothingToFetch'), { isLasting: true });
  return puller;
}
