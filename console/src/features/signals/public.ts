// What other features use of signals: the opened signal, where it leads, triage, and the way into the queue.

export { type CaseRequest, caseRequest } from './case-request.ts';
export { SignalFlyout } from './signal-flyout.tsx';
export { readSignalLink, type SignalLink, writeSignalLink } from './signal-link.ts';
export { useSignalWays } from './use-signal-ways.ts';
export { useTriage } from './use-triage.tsx';
