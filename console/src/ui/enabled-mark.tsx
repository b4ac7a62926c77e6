import { StateMark } from './state-mark.tsx';

interface EnabledMarkProps {
  readonly status: 'enabled' | 'disabled';
  readonly label: string;
}

/** Whether an account or an organization is switched on. */
export function EnabledMark({ status, label }: EnabledMarkProps) {
  return <StateMark tone={status === 'enabled' ? 'good' : 'quiet'} label={label} />;
}
