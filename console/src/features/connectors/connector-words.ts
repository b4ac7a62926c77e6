import type { Connector, ConnectorState } from '@tyrian/contract';
import type { StateTone } from '../../ui/state-mark.tsx';

export const STATE_TONES: Readonly<Record<ConnectorState, StateTone>> = {
  running: 'good',
  stopped: 'quiet',
  failed: 'bad',
};

export const VALIDATION_TONES: Readonly<Record<Connector['validation']['status'], StateTone>> = {
  ok: 'good',
  pending: 'quiet',
  failed: 'bad',
};
