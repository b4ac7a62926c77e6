import { File as NodeFile } from 'node:buffer';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { clearStored } from '../../lib/storage.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { sampleAccess } from '../../testing/sample-session.ts';
import { UploadEvents } from './public.ts';

const sourceOf = (source_id: string, revoked_ms: number | null) => ({
  ...{
    source_id,
    source_name: `Firewall ${source_id}`,
    scope_id: 's1',
    kind: 'http',
    token_prefix: 'tyr_ab',
  },
  ...{ networks: [], certificates: [], notice: null, created_by: 'Ada', created_ms: 1, revoked_ms },
  ...{ counts: {}, last_event_ms: null },
});
const spool = { files: 0, bytes: 0, limit_bytes: 1 };
const STATUS = {
  ...{ status: 'success', message: 'success' },
  data: { sources: [sourceOf('q1', null), sourceOf('q2', 5)], spool },
};

/** Forms as they were sent. */
let forms: FormData[];
let failAt = -1;

beforeEach(() => {
  forms = [];
  failAt = -1;
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const headers = { 'content-type': 'application/json' };
    if (url.endsWith('/ingest/status')) return new Response(JSON.stringify(STATUS), { headers });
    forms.push(init.body as FormData);
    const isFailing = forms.length - 1 === failAt;
    const data = { received: 10, stored: 10, parse_error: 1, no_extractor: 2, is_repeat: false };
    const body = isFailing
      ? { status: 'failed', message: 'The server is busy', code: 'unavailable', data: null }
      : { status: 'success', message: 'success', data };
    return new Response(JSON.stringify(body), { status: isFailing ? 503 : 200, headers });
  });
});
afterEach(() => {
  cleanup();
  clearStored();
  vi.unstubAllGlobals();
});

function Upload() {
  const [source, setSource] = useState('');
  return <UploadEvents sourceId={source} onSource={setSource} onClose={() => undefined} />;
}

async function upload(file: File): Promise<void> {
  const access = sampleAccess({ role: 'Security Engineer' });
  await renderScreen(<Upload />, { access });
  fireEvent.click(await screen.findByRole('combobox', { name: 'Source' }));
  // A source that was revoked takes nothing in.
  expect(screen.queryByRole('option', { name: 'Firewall q2', hidden: true })).toBeNull();
  fireEvent.click(await screen.findByRole('option', { name: 'Firewall q1', hidden: true }));
  const input = document.querySelector('input[type="file"]') as HTMLInputElement;
  fireEvent.change(input, { target: { files: [file] } });
  fireEvent.click(screen.getByRole('button', { name: 'Upload' }));
}

/** The files of jsdom cannot be read as streams. */
const fileOf = (parts: (string | Uint8Array<ArrayBuffer>)[], name: string) =>
  new NodeFile(parts, name) as unknown as File;

describe('a file of events that is uploaded', () => {
  it('goes to its source piece by piece, and says what became of it', async () => {
    const line = `${'x'.repeat(99)}\n`;
    await upload(fileOf([line.repeat(30_000)], 'a.log'));
    await screen.findByText('Events stored: 20');
    expect(forms.map((form) => [form.get('source_id'), form.get('piece'), form.get('format')])).toEqual([
      ['q1', '0', 'lines'],
      ['q1', '1', 'lines'],
    ]);
    expect(new Set(forms.map((form) => form.get('upload_id'))).size).toBe(1);
    expect(screen.getByText('Could not be read and are kept as text: 2')).toBeTruthy();
  });

  it('is told when a piece fails, and can go on under the same name', async () => {
    failAt = 0;
    await upload(fileOf(['a,b\n1,2\n'], 'table.csv'));
    expect((await screen.findByRole('alert')).textContent).toContain('The server is busy');
    fireEvent.click(screen.getByRole('button', { name: 'Continue' }));
    await waitFor(() => expect(screen.getByText('Events stored: 10')).toBeTruthy());
    expect(forms.map((form) => form.get('format'))).toEqual(['csv', 'csv']);
    expect(forms[0]?.get('upload_id')).toBe(forms[1]?.get('upload_id'));
  });
});
