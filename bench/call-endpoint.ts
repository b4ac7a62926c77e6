import type { Endpoint, InputOf, OutputOf } from '@tyrian/contract';

interface Asked<E extends Endpoint> {
  readonly params?: Readonly<Record<string, string>>;
  readonly input?: InputOf<E>;
}

/** Calls as a browser does; throws with what the server refused it with. */
export function caller(address: string, ssid: string) {
  return async <E extends Endpoint>(
    endpoint: E,
    { params = {}, input }: Asked<E> = {},
  ): Promise<OutputOf<E>> => {
    const url = `${address}${endpoint.path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? '')}`;
    const isGet = endpoint.method === 'GET';
    const query = isGet && input ? `?${new URLSearchParams(input as Record<string, string>)}` : '';
    const answer = await fetch(url + query, {
      method: endpoint.method,
      headers: { ssid, ...(isGet ? {} : { 'content-type': 'application/json' }) },
      ...(isGet ? {} : { body: JSON.stringify(input ?? {}) }),
    });
    const body = (await answer.json()) as { status: string; message: string; data: OutputOf<E> };
    if (body.status !== 'success') throw new Error(`${endpoint.name}: ${body.message}`);
    return body.data;
  };
}
