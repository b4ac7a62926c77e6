import { MantineProvider, Select } from '@mantine/core';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { theme } from './theme.ts';

afterEach(cleanup);

describe('a list of choices', () => {
  it('[R-C15] that can be searched marks what is chosen at a click, so that what is typed stands alone', () => {
    render(
      <MantineProvider theme={theme} env="test">
        <Select aria-label="Stack by" searchable data={['Stream', 'DstIpAddr']} value="Stream" />
      </MantineProvider>,
    );
    const input = screen.getByRole<HTMLInputElement>('combobox', { name: 'Stack by' });
    input.setSelectionRange(6, 6);
    fireEvent.click(input);
    expect([input.selectionStart, input.selectionEnd]).toEqual([0, 'Stream'.length]);
  });
});
