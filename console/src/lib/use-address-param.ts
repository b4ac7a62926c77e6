import { useCallback } from 'react';
import { useSearchParams } from 'react-router';

/** One value kept in the address, '' where it is not there; changing it leaves the rest of the address as it is. */
export function useAddressParam(name: string): readonly [string, (value: string) => void] {
  const [params, setParams] = useSearchParams();
  const change = useCallback(
    (value: string) =>
      setParams(
        (current) => {
          const next = new URLSearchParams(current);
          if (value) next.set(name, value);
          else next.delete(name);
          return next;
        },
        { replace: true },
      ),
    [name, setParams],
  );
  return [params.get(name) ?? '', change];
}
