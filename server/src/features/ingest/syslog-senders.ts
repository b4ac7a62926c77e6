import { type SyslogMessageBytes, takeSyslogToken } from '@tyrian/ingest';
import type { SourcePlace } from '../sources/source-place.ts';
import type { SourceService } from '../sources/source-service.ts';

// Whose a message of syslog is. A token in the message says it; else the client certificate of its connection; else the
// address it comes from. A wrong token or certificate is refused, also where the address alone would have been enough.

export interface SyslogSender {
  readonly address: string;
  /** Fingerprint and common name of the client certificate; absent without one. */
  readonly certificate?: readonly string[];
}

export interface RoutedMessage {
  readonly place: SourcePlace;
  readonly message: SyslogMessageBytes;
}

export interface SyslogSenders {
  /** True when address or certificate belong to a source, so that messages need no token. */
  knows(sender: SyslogSender): Promise<boolean>;
  /** Messages with the sources that they belong to; the others are counted as refused. */
  route(sender: SyslogSender, messages: readonly SyslogMessageBytes[]): Promise<RoutedMessage[]>;
}

export function createSyslogSenders(sources: SourceService): SyslogSenders {
  /** The source of the connection or address, and why there is none. */
  const withoutToken = async ({ address, certificate }: SyslogSender) =>
    certificate === undefined
      ? { place: await sources.findBySender(address), refusal: 'unknown-syslog-sender' }
      : { place: await sources.findByCertificate(certificate), refusal: 'unknown-syslog-certificate' };

  return {
    knows: async (sender) => (await withoutToken(sender)).place !== null,
    route: async (sender, messages) => {
      const routed: RoutedMessage[] = [];
      for (const message of messages) {
        const taken = takeSyslogToken(message.bytes);
        const { place, refusal } =
          taken === undefined
            ? await withoutToken(sender)
            : { place: await sources.findBySyslogToken(taken.token), refusal: 'wrong-syslog-token' };
        if (place === null) sources.refuse(refusal, sender.address);
        else if (!place.isScopeEnabled)
          sources.count(place.clusterId, place.sourceId, { 'refused_scope-disabled': 1 });
        else {
          // A message that was cut stays longer than its bytes, so that it is marked as cut.
          const stored =
            taken === undefined
              ? message
              : { bytes: taken.bytes, length: message.length - message.bytes.length + taken.bytes.length };
          routed.push({ place, message: stored });
        }
      }
      return routed;
    },
  };
}
