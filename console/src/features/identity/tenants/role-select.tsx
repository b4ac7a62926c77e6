import { Select } from '@mantine/core';
import { SCOPE_ROLES, type ScopeRole } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';

interface RoleSelectProps {
  readonly label: string;
  readonly value: ScopeRole;
  readonly onChange: (role: ScopeRole) => void;
  readonly isReadOnly?: boolean;
}

/** One of the four roles of a scope. */
export function RoleSelect({ label, value, onChange, isReadOnly }: RoleSelectProps) {
  const { t } = useTranslation('tenants');
  return (
    <Select
      label={label}
      value={value}
      readOnly={isReadOnly}
      allowDeselect={false}
      onChange={(chosen) => onChange(SCOPE_ROLES.find((role) => role === chosen) ?? value)}
      data={SCOPE_ROLES.map((role) => ({ value: role, label: t(`role.${role}`) }))}
    />
  );
}
