import { useQuery } from '@tanstack/react-query';
import {
  checkExtractor,
  EXTRACTOR_LIMITS,
  type Extractor,
  listUnparsedSources,
  readUnparsedEvents,
  testExtractor,
} from '@tyrian/contract';
import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import { useScope } from '../../../lib/session-store.ts';
import { useUnsavedWork } from '../../../lib/unsaved-work.ts';
import { useAddressParam } from '../../../lib/use-address.ts';
import { callQuery } from '../../../lib/use-call.ts';

// The definition and its samples while they are written: what they began from, what the server says of them, and what
// the definition makes of samples or of the last events of a source.

/** What is open beside the editor. */
export type Panel = 'versions' | 'model' | null;

const linesOf = (samples: string): string[] => (samples === '' ? [] : samples.split('\n'));

export function useExtractorDraft(first: { readonly yaml: string; readonly samples: readonly string[] }) {
  const [base, setBase] = useState({ yaml: first.yaml, samples: first.samples.join('\n') });
  const [yaml, setYaml] = useState(base.yaml);
  const [samples, setSamples] = useState(base.samples);
  const isDirty = yaml !== base.yaml || samples !== base.samples;
  useUnsavedWork(isDirty);
  return {
    ...{ yaml, setYaml, samples, setSamples, isDirty },
    lines: useMemo(() => linesOf(samples), [samples]),
    /** This is what the server has now; what was typed since stays. */
    saved: ({ draft, yaml: published, samples: kept }: Extractor) =>
      setBase({ yaml: draft ?? published, samples: kept.join('\n') }),
    /** The server's text takes the place of what is here. */
    adopt: ({ draft, yaml: published, samples: kept }: Extractor) => {
      const now = { yaml: draft ?? published, samples: kept.join('\n') };
      setBase(now);
      setYaml(now.yaml);
      setSamples(now.samples);
    },
  };
}
export type ExtractorDraft = ReturnType<typeof useExtractorDraft>;

const PAUSE_MS = 400;

/** The value after a pause in the typing. */
function usePaused<T>(value: T): T {
  const [paused, setPaused] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return useDeferredValue(paused);
}

const bounded = (lines: readonly string[]): string[] => lines.slice(0, EXTRACTOR_LIMITS.samples);

/** What the server says of the draft, check by check. */
export function useChecks({ yaml, lines }: ExtractorDraft, extractorId: number | undefined) {
  const { clusterId, scopeId } = useScope();
  const paused = usePaused(useMemo(() => ({ yaml, samples: bounded(lines) }), [yaml, lines]));
  const input = {
    ...{ scope_id: scopeId, ...paused },
    ...(extractorId === undefined ? {} : { extractor_id: extractorId }),
  };
  return useQuery(callQuery(checkExtractor, input, { params: { clusterId }, keep: true, quiet: true }));
}

/** The source that the address names, the sources with unparsed events, and the last of these events. */
export function useUnparsed() {
  const { clusterId, scopeId } = useScope();
  const [source, setSource] = useAddressParam('source');
  const sources = useQuery(
    callQuery(
      listUnparsedSources,
      { scope_id: scopeId },
      { params: { clusterId }, quiet: true, every: 30_000 },
    ),
  );
  const events = useQuery(
    callQuery(
      readUnparsedEvents,
      { scope_id: scopeId, source: source || '-', limit: 100 },
      { params: { clusterId }, quiet: true, enabled: source !== '' },
    ),
  );
  return { source, setSource, sources, events: source === '' ? undefined : events };
}
export type Unparsed = ReturnType<typeof useUnparsed>;

/** What the definition makes of the lines. */
export function useSimulation(yaml: string, lines: readonly string[]) {
  const { clusterId, scopeId } = useScope();
  const paused = usePaused(useMemo(() => ({ yaml, samples: bounded(lines) }), [yaml, lines]));
  return useQuery(
    callQuery(
      testExtractor,
      { scope_id: scopeId, ...paused },
      {
        params: { clusterId },
        keep: true,
        quiet: true,
        enabled: paused.samples.length > 0 && paused.yaml !== '',
      },
    ),
  );
}
