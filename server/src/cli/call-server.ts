import type { Endpoint, InputOf, OutputOf } from '@tyrian/contract';

/** Calls an endpoint of a running server; throws an Error with the server's message when it refuses. */
export async function callServer<E extends Endpoint>(
  url: string,
  endpoint: E,
  params: Readonly<Record<string, string>>,
  input: InputOf<E>,
  ssid?: string,
): Promise<OutputOf<E>> {
  const path = endpoint.path.replace(/:(\w+)/g, (_all, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  );
  const target = new URL(path, url);
  const hasBody = endpoint.method === 'POST' || endpoint.method === 'PUT';
  if (!hasBody) {
    for (const [name, value] of Object.entries(input as object)) target.searchParams.set(name, String(value));
  }
  const response = await fetch(target, {
    method: endpoint.method,
    headers: { ...(hasBody ? { 'content-type': 'application/json' } : {}), ...(ssid ? { ssid } : {}) },
    ...(hasBody ? { body: JSON.stringify(input) } : {}),
  });
  const body = (await response.json()) as { status: string; message: string; data: unknown };
  if (!response.ok || body.status !== 'success') throw new Error(body.message);
  return (endpoint.answer === 'flat' ? body : body.data) as OutputOf<E>;
}
