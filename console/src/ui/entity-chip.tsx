import {
  IconBox,
  IconCpu,
  IconDeviceDesktop,
  IconFile,
  IconFingerprint,
  IconLink,
  IconMail,
  IconPlug,
  IconServer,
  IconUser,
  IconWorld,
  IconWorldWww,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { CutText } from './cut-text.tsx';
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
  domain: IconWorldWww,
  mail: IconMail,
  file: IconFile,
  resource: IconServer,
  port: IconPlug,
};

/** An IPv4 or IPv6 address: it is shown whole or not at all. */
const ADDRESS = /^(?:\d{1,3}(?:\.\d{1,3}){3}|[\da-f]*:[\da-f:.]*:[\da-f:.]*)$/i;

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
  const isWhole = ADDRESS.test(value);
  const title = [part && t(`role.${part}`), t(`entity.${type}`, { defaultValue: type }), value]
    .filter(Boolean)
    .join(' · ');
  const body = (
    <>
      <Shape size={13} aria-hidden />
      <CutText value={value} isWhole={isWhole} />
    </>
  );
  return onClick ? (
    <button
      type="button"
      className={classes.chip}
      data-part={part}
      data-whole={isWhole || undefined}
      title={title}
      onClick={(event) => {
        event.stopPropagation();
        onClick();
      }}
    >
      {body}
    </button>
  ) : (
    <span className={classes.chip} data-part={part} data-whole={isWhole || undefined} title={title}>
      {body}
    </span>
  );
}
