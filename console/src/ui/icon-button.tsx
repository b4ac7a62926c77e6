import { ActionIcon, type ActionIconProps, Tooltip } from '@mantine/core';
import { forwardRef, type MouseEventHandler, type ReactNode } from 'react';

interface IconButtonProps extends Omit<ActionIconProps, 'aria-label'> {
  /** Says what it does: its tooltip and its name for screen readers. */
  readonly label: string;
  readonly onClick?: MouseEventHandler<HTMLButtonElement>;
  readonly children: ReactNode;
}

/** A button that is an icon, with the tooltip that names it. */
export const IconButton = forwardRef<HTMLButtonElement, IconButtonProps>(function IconButton(
  { label, ...rest },
  ref,
) {
  return (
    <Tooltip label={label}>
      <ActionIcon ref={ref} aria-label={label} {...rest} />
    </Tooltip>
  );
});
