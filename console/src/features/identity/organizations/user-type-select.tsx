import { Select } from '@mantine/core';
import type { UserType } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { useSignedIn } from '../../../lib/session-store.ts';

/** A user type with the variant of root that may only look. */
export type ShownType = UserType | 'root_viewer';

interface UserTypeSelectProps {
  readonly value: ShownType;
  readonly onChange: (type: ShownType) => void;
  readonly isReadOnly?: boolean;
}

const ORGANIZATION_TYPES: readonly ShownType[] = ['general', 'org_admin'];
const PLATFORM_TYPES: readonly ShownType[] = ['content_manager', 'root', 'root_viewer'];

/** The types that the caller may give; those of the platform are for root. */
export function UserTypeSelect({ value, onChange, isReadOnly }: UserTypeSelectProps) {
  const { t } = useTranslation('organizations');
  const { user } = useSignedIn();
  const isRoot = user.AllAccessData.isRoot && !user.AllAccessData.isRootViewer;
  const types = isRoot ? [...ORGANIZATION_TYPES, ...PLATFORM_TYPES] : ORGANIZATION_TYPES;
  const offered = types.includes(value) ? types : [...types, value];
  return (
    <Select
      label={t('person.type')}
      value={value}
      readOnly={isReadOnly}
      allowDeselect={false}
      onChange={(chosen) => onChange(offered.find((type) => type === chosen) ?? value)}
      data={offered.map((type) => ({ value: type, label: t(`type.${type}`) }))}
    />
  );
}

/** What the server stores for a shown type. */
export function storedType(type: ShownType): { user_type: UserType; root_viewer: boolean } {
  return type === 'root_viewer'
    ? { user_type: 'root', root_viewer: true }
    : { user_type: type, root_viewer: false };
}
