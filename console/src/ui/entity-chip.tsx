import {
  IconBox,
  IconCpu,
  IconDeviceDesktop,
  IconFingerprint,
  IconLink,
  IconPlug,
  IconServer,
  IconUser,
  IconWorld,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './entity-chip.module.css';

type Icon = ComponentType<{ size?: number | string; 'aria-hidden'?: boolean }>;

const ICONS: Readonly<Record<string, Icon>> = {
  host: IconDeviceDesktop,
  user: IconUser,
  process: IconCpu,
  hash: IconFingerprint,
  url: IconLink,
  ip: IconWorld,
  address: IconWorld,
  resource: IconServer,
  port: IconPlug,
};

interface EntityChipProps {
  readonly type: string;
  readonly value: string;
  /** A suspect did it, a target suffered it; both mark a compromised entity. */
  readonly part?: 'suspect' | 'target' | 'both';
  readonly onClick?: () => void;
}

/** A host, user, process … with the icon of its type and the mark of its role. */
export function EntityChip({ type, value, part, onClick }: EntityChipProps) {
  const { t } = useTranslation('ui');
  const Shape = ICONS[type] ?? IconBox;
  const title = [part && t(`role.${part}`), t(`entity.${type}`, { defaultValue: type }), value]
    .filter(Boolean)
    .join(' · ');
  const body = (
    <>
      <Shape size={13} aria-hidden />
      <span className={classes.value}>{value}</span>
    </>
  );
  return onClick ? (
    <button
      type="button"
      className={classes.chip}
      data-part={part}
      title={title}
      onClick={(event) => {
        event.stopPropagation();
        onClick();
      }}
    >
      {body}
    </button>
  ) : (
    <span className={classes.chip} data-part={part} title={title}>
      {body}
    </span>
  );
}
