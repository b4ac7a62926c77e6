import { Box } from '@mantine/core';
import type { ReactNode } from 'react';

interface ScrollFrameProps {
  readonly label: string;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** What may be larger than its room and then scrolls, by key as well. */
export function ScrollFrame({ label, className, children }: ScrollFrameProps) {
  return (
    <Box className={className} tabIndex={0} role="group" aria-label={label}>
      {children}
    </Box>
  );
}
