import { say } from '@tyrian/contract';
import { AppError } from '../../platform/app-error.ts';

// Whose text is compiled next. Detections and people have a lane each; in a lane the tenants take turns, and within a
// tenant its users. So whoever waits has at most one text of each other before its own, however many they sent.

/** On whose behalf a text is compiled. */
export interface CompileTurn {
  readonly lane: 'people' | 'detections';
  readonly clusterId: string;
  /** '' for work of the platform itself, which is not limited. */
  readonly userId: string;
}

export interface CompileTurnLimits {
  /** Texts of one user that may wait; one more is refused. */
  readonly waitingPerUser: number;
  /** Milliseconds that a user waits after the first, second, … text within `killWindowMs` that passed the limit on work. */
  readonly waitsMs: readonly [number, ...number[]];
  readonly killWindowMs: number;
}

export const COMPILE_TURN_LIMITS: CompileTurnLimits = {
  waitingPerUser: 100,
  waitsMs: [5_000, 20_000, 60_000],
  killWindowMs: 60_000,
};

/** When so many texts of a tenant were ended within the window, one of their own makes each of its users wait longest. */
const MANY_OF_TENANT = 6;

export interface CompileTurns<Job> {
  /** Throws AppError `too-many` when the user has too many waiting, or had too many ended of late. */
  add(turn: CompileTurn, job: Job): void;
  /**
   * The next job of a tenant that `mayRun`; undefined when there is none. Jobs of users who meanwhile had too many
   * ended go to `refuse`.
   */
  next(
    mayRun: (clusterId: string) => boolean,
    refuse: (job: Job, error: AppError) => void,
  ): { readonly turn: CompileTurn; readonly job: Job } | undefined;
  /** A text of the user was ended because it took too long. */
  ended(turn: CompileTurn): void;
  /** A text of the tenant was ended within the window. */
  isSuspect(clusterId: string): boolean;
  waiting(): number;
  /** A text of such a tenant waits. */
  waitsFor(isSuch: (clusterId: string) => boolean): boolean;
  /** Takes out everything that waits. */
  drain(): Job[];
}

interface Waiting<Job> {
  readonly turn: CompileTurn;
  readonly jobs: Job[];
}

/** `nowMs` is a clock that never goes back. */
export function createCompileTurns<Job>(
  limits: CompileTurnLimits = COMPILE_TURN_LIMITS,
  nowMs: () => number = () => performance.now(),
): CompileTurns<Job> {
  // The order of the keys is the order of the turns: whoever was served goes to the end.
  const lanes = new Map<string, Map<string, Map<string, Waiting<Job>>>>();
  const kills = new Map<string, number[]>();
  let count = 0;

  const killsOf = (key: string): readonly number[] => {
    const recent = (kills.get(key) ?? []).filter((at) => nowMs() - at < limits.killWindowMs);
    if (recent.length === 0) kills.delete(key);
    else kills.set(key, recent);
    return recent;
  };

  const refusalOf = (turn: CompileTurn): AppError | null => {
    if (turn.userId === '') return null;
    const recent = killsOf(userKey(turn));
    const last = recent.at(-1);
    if (last === undefined) return null;
    const isMany = killsOf(turn.clusterId).length >= MANY_OF_TENANT;
    const longest = limits.waitsMs.at(-1) ?? 0;
    const waitMs = last + (isMany ? longest : (limits.waitsMs[recent.length - 1] ?? longest)) - nowMs();
    if (waitMs <= 0) return null;
    const seconds = Math.ceil(waitMs / 1000);
    return new AppError(
      'too-many',
      recent.length === 1
        ? say('search.onceTooSlow', { seconds })
        : say('search.oftenTooSlow', { count: recent.length, seconds }),
    );
  };

  const takeFrom = (
    lane: Map<string, Map<string, Waiting<Job>>>,
    mayRun: (clusterId: string) => boolean,
  ): { turn: CompileTurn; job: Job } | undefined => {
    for (const [clusterId, users] of lane) {
      const [first] = users;
      if (!first || !mayRun(clusterId)) continue;
      const [userId, { turn, jobs }] = first;
      const job = jobs.shift() as Job;
      count -= 1;
      users.delete(userId);
      if (jobs.length > 0) users.set(userId, { turn, jobs });
      lane.delete(clusterId);
      if (users.size > 0) lane.set(clusterId, users);
      return { turn, job };
    }
    return undefined;
  };

  const takeNext = (mayRun: (clusterId: string) => boolean) => {
    for (const [name, lane] of lanes) {
      const found = takeFrom(lane, mayRun);
      if (!found) continue;
      lanes.delete(name);
      lanes.set(name, lane);
      return found;
    }
    return undefined;
  };

  return {
    add: (turn, job) => {
      const refusal = refusalOf(turn);
      if (refusal) throw refusal;
      const lane = entryOf(lanes, turn.lane, () => new Map<string, Map<string, Waiting<Job>>>());
      const users = entryOf(lane, turn.clusterId, () => new Map<string, Waiting<Job>>());
      const own = entryOf(users, turn.userId, () => ({ turn, jobs: [] as Job[] }));
      if (turn.userId !== '' && own.jobs.length >= limits.waitingPerUser) {
        throw new AppError('too-many', say('search.waitForCompiler', { count: own.jobs.length }));
      }
      own.jobs.push(job);
      count += 1;
    },
    next: (mayRun, refuse) => {
      for (let found = takeNext(mayRun); found; found = takeNext(mayRun)) {
        const refusal = refusalOf(found.turn);
        if (!refusal) return found;
        refuse(found.job, refusal);
      }
      return undefined;
    },
    ended: (turn) => {
      for (const key of [userKey(turn), turn.clusterId]) kills.set(key, [...killsOf(key), nowMs()]);
      for (const key of [...kills.keys()]) killsOf(key);
    },
    isSuspect: (clusterId) => killsOf(clusterId).length > 0,
    waiting: () => count,
    waitsFor: (isSuch) => [...lanes.values()].some((lane) => [...lane.keys()].some(isSuch)),
    drain: () => {
      const all = [...lanes.values()]
        .flatMap((lane) => [...lane.values()])
        .flatMap((users) => [...users.values()])
        .flatMap(({ jobs }) => jobs);
      lanes.clear();
      count = 0;
      return all;
    },
  };
}

const userKey = (turn: CompileTurn): string => `${turn.clusterId} ${turn.userId}`;

function entryOf<V>(map: Map<string, V>, key: string, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
