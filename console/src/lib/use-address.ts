import { useCallback, useContext, useMemo } from 'react';
import { UNSAFE_DataRouterContext, useLocation, useNavigate, useSearchParams } from 'react-router';
import { paramsWithRange, rangeOfParams, type TimeRange } from './time-range.ts';

interface AddressChangeOptions {
  /** The change makes no step that Back returns from. */
  readonly replace?: boolean;
}

export type ChangeAddress = (
  change: (now: URLSearchParams) => URLSearchParams,
  options?: AddressChangeOptions,
) => void;

/**
 * The parameters of the page's address, and how to change them. `change` is given those that the address has or is
 * about to have: a page is shown only after its guards have answered, and two changes in that time (typing, then a
 * click) must not take each other back, which `setSearchParams` of the router does. While another page is opened,
 * or after it was, changes of the page that is left do nothing.
 */
export function useAddress(): readonly [URLSearchParams, ChangeAddress] {
  const [params] = useSearchParams();
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const router = useContext(UNSAFE_DataRouterContext)?.router;
  const changeAddress = useCallback<ChangeAddress>(
    (change, options) => {
      if (!router) throw new Error('The parameters of an address are changed below a data router only.');
      const { location, navigation } = router.state;
      const newest = navigation.location ?? location;
      if (location.pathname !== pathname || newest.pathname !== pathname) return;
      void navigate(`?${change(new URLSearchParams(newest.search))}`, options);
    },
    [router, pathname, navigate],
  );
  return [params, changeAddress];
}

/** One value kept in the address, '' where it is not there; changing it leaves the rest of the address as it is. */
export function useAddressParam(name: string): readonly [string, (value: string) => void] {
  const [params, changeAddress] = useAddress();
  const change = useCallback(
    (value: string) => changeAddress((now) => withParams(now, { [name]: value }), { replace: true }),
    [name, changeAddress],
  );
  return [params.get(name) ?? '', change];
}

/** How a page keeps what it shows in its address. */
interface AddressLink<Link> {
  readonly read: (params: URLSearchParams) => Link;
  readonly write: (link: Link) => URLSearchParams;
  /** Whether a change of these parts makes no step that Back returns from. */
  readonly isSmall: (part: Partial<Link>) => boolean;
}

/** What the page shows by its address, and how to change parts of it. `kept` must be the same at each call. */
export function useAddressLink<Link extends object>(
  kept: AddressLink<Link>,
): readonly [Link, (part: Partial<Link>) => void] {
  const [params, changeAddress] = useAddress();
  const link = useMemo(() => kept.read(params), [kept, params]);
  const change = useCallback(
    (part: Partial<Link>) =>
      changeAddress((now) => kept.write({ ...kept.read(now), ...part }), { replace: kept.isSmall(part) }),
    [kept, changeAddress],
  );
  return [link, change];
}

/** The time range that the address names, `otherwise` where it names none. */
export function useAddressRange(
  otherwise: TimeRange,
  options?: AddressChangeOptions,
): readonly [TimeRange, (range: TimeRange) => void] {
  const [params, changeAddress] = useAddress();
  const change = (range: TimeRange) => changeAddress((now) => paramsWithRange(now, range), options);
  return [rangeOfParams(params, otherwise), change];
}

/** The parameters with those of `values` set; '' takes one out. */
export function withParams(
  params: URLSearchParams,
  values: Readonly<Record<string, string>>,
): URLSearchParams {
  const next = new URLSearchParams(params);
  for (const [name, value] of Object.entries(values)) {
    if (value === '') next.delete(name);
    else next.set(name, value);
  }
  return next;
}
