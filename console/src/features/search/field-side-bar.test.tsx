import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { listFields } from '@tyrian/contract';
import { afterEach, describe, expect, it } from 'vitest';
import { renderScreen } from '../../testing/render-screen.tsx';
import { stubCalls } from '../../testing/stub-calls.ts';
import { FieldSideBar } from './field-side-bar.tsx';

afterEach(cleanup);

const field = (name: string) => ({
  name,
  kind: 'column',
  type: 'string',
  description: '',
  aliases: [],
  streams: ['Dns'],
  recommended: false,
  example: '',
});

async function openBar() {
  stubCalls([[listFields, () => ['Alpha', 'Beta', 'Gamma'].map(field)]]);
  await renderScreen(
    <FieldSideBar
      clusterId="c1"
      scopeId="s1"
      streams={[]}
      columns={[]}
      asked={null}
      onToggleColumn={() => undefined}
      onFilter={() => undefined}
    />,
  );
  await screen.findByText('Beta');
}

const press = (key: string) => act(() => fireEvent.keyDown(document.activeElement ?? document.body, { key }));
const stops = () => screen.getAllByRole('button').filter((one) => one.tabIndex === 0);

describe('the list of fields', () => {
  it('[R-C8] is one stop of Tab; the arrows move in it, and Tab comes back to where they were', async () => {
    await openBar();
    expect(stops().map((one) => one.textContent)).toEqual(['Alpha']);
    act(() => screen.getByRole('textbox').focus());
    press('ArrowDown');
    press('ArrowDown');
    expect(document.activeElement?.textContent).toBe('Beta');
    expect(stops().map((one) => one.textContent)).toEqual(['Beta']);
    press('ArrowRight');
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Add Beta as column');
    press('End');
    expect(document.activeElement?.textContent).toBe('Gamma');
    press('Home');
    expect(document.activeElement?.textContent).toBe('Alpha');
  });
});
