import { ActionIcon, type ActionIconProps, Tooltip } from '@mantine/core';
import { forwardRef, type MouseEventHandler, type ReactNode } from 'react';

interface IconButtonProps extends Omit<ActionIconProps, 'aria-label'> {
  /** Says what it does: its tooltip and its name for screen readers. */
  readonly label: string;
  /** Set by the menu or card that the button opens. */
  readonly 'aria-expanded'?: boolean | 'true' | 'false';
  readonly onClick?: MouseEventHandler<HTMLButtonElement>;
  readonly children: ReactNode;
}

/** A button that is an icon, with the tooltip that names it. */
export const IconButton = forwardRef<HTMLButtonElement, IconButtonProps>(function IconButton(
  { label, ...rest },
  ref,
) {
  // What the button opened says more than its name, and must not be covered by it.
  const isOpen = rest['aria-expanded'] === true || rest['aria-expanded'] === 'true';
  return (
    <Tooltip label={label} disabled={isOpen}>
      <ActionIcon ref={ref} aria-label={label} {...rest} />
    </Tooltip>
  );
});
