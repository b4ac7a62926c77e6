// What other features use of signals: the opened signal, where it leads, triage, and the way into the queue.

export { CaseSignalPanel } from './case-signal-panel.tsx';
export { readSignalLink, type SignalLink, writeSignalLink } from './signal-link.ts';
