import { say } from '@tyrian/diagnostics';
import type { Constant, KqlType } from '@tyrian/plan';
import type { Table } from '../lowering.ts';
import { isTabular, nameOf, type Syntax } from '../syntax.ts';
import type { PluginCall } from './plugin-call.ts';
import { knownValue, kqlOf, lowerPluginText, namedColumns } from './plugin-text.ts';

// Plug-ins that count ids over a timeline of bins. A row lies in the bin that `bin_at` gives it, counted from the start
// of the analysis; rows outside of start to end do not count, but a window that looks back sees those before it.

interface Timeline {
  readonly plugin: PluginCall;
  readonly input: NonNullable<ReturnType<typeof namedColumns>>;
  /** The arguments between timeline and dimensions, as KQL. */
  readonly values: readonly string[];
  readonly constants: readonly Constant[];
  /** The dimensions, each with a comma before it. */
  readonly dims: string;
  readonly dimNames: readonly string[];
}

/**
 * Reads `(id, timeline, values ..., dimensions ...)`, with so many further arguments between values and dimensions as
 * `between` says; null, and refused, when something is wrong with it.
 */
function readTimeline(plugin: PluginCall, count: number, between = 0): Timeline | null {
  const [id, time, ...rest] = plugin.args;
  const dimensions = rest.slice(count + between);
  const input = namedColumns(plugin, [
    ['i_', id],
    ['t_', time],
    ...dimensions.map((node, index): [string, Syntax] => [`d${index}_`, node]),
  ]);
  const known = rest.slice(0, count).map((node, index) => knownValue(plugin, node, index + 3));
  const constants = known.filter((one) => one !== null);
  if (!input || constants.length < count || rest.length < count) {
    if (rest.length < count) plugin.refuse(plugin.call, say('lacksArgument'));
    return null;
  }
  const timeType = input[1]?.column.type ?? 'dynamic';
  const dimNames = dimensions.map((_, index) => `d${index}_`);
  const dims = dimNames.map((name) => `, ${name}`).join('');
  const fits = constants.every(({ type }) => fitsTimeline(type, timeType));
  if (!fits) {
    plugin.refuse(plugin.call, say('kindOfTimeline'));
    return null;
  }
  return { plugin, input, values: constants.map(kqlOf), constants, dims, dimNames };
}

const fitsTimeline = (type: KqlType, time: KqlType): boolean =>
  time === 'datetime' ? type === 'datetime' || type === 'timespan' : ['int', 'long', 'real'].includes(type);

/** How often one length goes into another; null, and refused, when it does not go without rest. */
function timesIn(plugin: PluginCall, whole: Constant | undefined, part: Constant | undefined): number | null {
  const times = Number(whole?.value) / Number(part?.value);
  if (Number.isInteger(times) && times > 0 && times <= 10_000) return times;
  plugin.refuse(plugin.call, say('wholeWindow'));
  return null;
}

/** `evaluate sliding_window_counts(id, timeline, start, end, window, step, dimensions ...)`. */
export function lowerSlidingWindowCounts(plugin: PluginCall): Table {
  const read = readTimeline(plugin, 4);
  const times = read ? timesIn(plugin, read.constants[2], read.constants[3]) : null;
  if (!read || times === null) return plugin.input;
  const [start, end, window, step] = read.values;
  return lowerPluginText(
    plugin,
    read.input,
    `T | where t_ <= ${end} | extend b_ = bin_at(t_, ${step}, ${start}) | where b_ > ${start} - ${window}
    | extend k_ = range(0, ${times - 1}, 1) | mv-expand k_ to typeof(long) | extend w_ = b_ + k_ * ${step}
    | where w_ >= ${start} and w_ <= ${end}
    | summarize n_ = count(), u_ = dcount(i_) by w_${read.dims} | project w_${read.dims}, n_, u_ | sort by w_ asc`,
  );
}

/** `evaluate activity_engagement(id, timeline, [start, end,] inner, outer, dimensions ...)`. */
export function lowerActivityEngagement(plugin: PluginCall): Table {
  const short = plugin.args.length === 4;
  const read = readTimeline(plugin, short ? 2 : 4);
  const [outer, inner] = [read?.constants.at(-1), read?.constants.at(-2)];
  const times = read ? timesIn(plugin, outer, inner) : null;
  if (!read || times === null) return plugin.input;
  const [start, end] = read.values;
  const step = read.values.at(-2);
  const binned = short
    ? `extend b_ = bin(t_, ${step})`
    : `where t_ <= ${end} | extend b_ = bin_at(t_, ${step}, ${start}) | where b_ > ${start} - ${read.values.at(-1)}`;
  const within = short ? 'own_ > 0' : `w_ >= ${start} and w_ <= ${end}`;
  return lowerPluginText(
    plugin,
    read.input,
    `T | ${binned} | extend k_ = range(0, ${times - 1}, 1) | mv-expand k_ to typeof(long) | extend w_ = b_ + k_ * ${step}
    | summarize own_ = countif(k_ == 0), in_ = dcountif(i_, k_ == 0), out_ = dcount(i_) by w_${read.dims}
    | where ${within} | project w_${read.dims}, in_, out_, ratio_ = todouble(in_) / out_ | sort by w_ asc`,
  );
}

/** Whether the row before is of the same id and dimensions; nulls are equal to each other. */
const sameAsBefore = (names: readonly string[]): string =>
  ['row_number() > 1', ...names.map((name) => `tostring(prev(${name})) == tostring(${name})`)].join(' and ');

const sorted = (names: readonly string[]): string => names.map((name) => `${name} asc`).join(', ');

/** Each id of each bin, in the order of ids, `same_` where the row before is an earlier bin of the same id. */
const idsByBin = ({ values: [start, end, step], dims, dimNames }: Timeline): string =>
  `T | where t_ >= ${start} and t_ <= ${end} | extend b_ = bin_at(t_, ${step}, ${start})
  | summarize n_ = count() by b_${dims}, i_ | sort by ${sorted([...dimNames, 'i_', 'b_'])}
  | serialize same_ = ${sameAsBefore([...dimNames, 'i_'])}, before_ = prev(b_)`;

/** `evaluate activity_counts_metrics(id, timeline, start, end, step, dimensions ...)`. */
export function lowerActivityCountsMetrics(plugin: PluginCall): Table {
  const read = readTimeline(plugin, 3);
  if (!read) return plugin.input;
  const { dims, dimNames } = read;
  const restart = dimNames.length === 0 ? '' : `, not(${sameAsBefore(dimNames)})`;
  return lowerPluginText(
    plugin,
    read.input,
    `${idsByBin(read)} | summarize n_ = sum(n_), u_ = dcount(i_), new_ = countif(not(same_)) by b_${dims}
    | sort by ${sorted([...dimNames, 'b_'])} | serialize all_ = row_cumsum(new_${restart})
    | project b_${dims}, n_, u_, new_, all_ | sort by b_ asc`,
  );
}

/** `evaluate activity_metrics(id, timeline, start, end, window, dimensions ...)`. */
export function lowerActivityMetrics(plugin: PluginCall): Table {
  const read = readTimeline(plugin, 3);
  if (!read) return plugin.input;
  const { dims, dimNames } = read;
  const step = read.values[2];
  return lowerPluginText(
    plugin,
    read.input,
    `${idsByBin(read)} | summarize u_ = dcount(i_), back_ = countif(same_ and before_ + ${step} == b_) by b_${dims}
    | sort by ${sorted([...dimNames, 'b_'])}
    | serialize was_ = iff(${sameAsBefore(dimNames)} and prev(b_) + ${step} == b_, prev(u_), 0)
    | project b_${dims}, u_, new_ = u_ - back_, kept_ = todouble(back_) / was_, lost_ = 1.0 - todouble(back_) / was_
    | sort by b_ asc`,
  );
}

/** `evaluate rolling_percentile(value, percentile, index, bin size, bins in the window, dimensions ...)`. */
export function lowerRollingPercentile(plugin: PluginCall): Table {
  const [value, percent, index, size, bins, ...dimensions] = plugin.args;
  const input = namedColumns(plugin, [
    ['v_', value],
    ['t_', index],
    ...dimensions.map((node, position): [string, Syntax] => [`d${position}_`, node]),
  ]);
  const known = [percent, size, bins].map((node, position) =>
    knownValue(plugin, node, [2, 4, 5][position] ?? 2),
  );
  const [rank, step, count] = known;
  if (!input || !rank || !step || !count) return plugin.input;
  const times = Number(count.value);
  if (!Number.isInteger(times) || times < 1 || times > 10_000) {
    plugin.refuse(plugin.call, say('mostBins'));
    return plugin.input;
  }
  const dims = dimensions.map((_, position) => `, d${position}_`).join('');
  return lowerPluginText(
    plugin,
    input,
    `T | extend b_ = bin(t_, ${kqlOf(step)}), k_ = range(0, ${times - 1}, 1) | mv-expand k_ to typeof(long)
    | extend w_ = b_ + k_ * ${kqlOf(step)}
    | summarize own_ = countif(k_ == 0), p_ = percentile(v_, ${rank.value}) by w_${dims}
    | where own_ > 0 | project w_${dims}, p_ | sort by w_ asc`,
  );
}

/** How many whole steps lie between start and end; null when the step leads nowhere. */
function stepsBetween([start, end, step]: readonly Constant[]): number | null {
  const ticks = [start, end, step].map((one) => String(one?.value));
  if (ticks.every((text) => /^-?\d+$/.test(text))) {
    const [from, to, size] = ticks.map(BigInt) as [bigint, bigint, bigint];
    return size > 0n ? Number((to - from) / size) : null;
  }
  const [from, to, size] = ticks.map(Number) as [number, number, number];
  return size > 0 ? Math.floor((to - from) / size) : null;
}

/** `evaluate new_activity_metrics(id, timeline, start, end, window, [cohort,] dimensions ...)`. */
export function lowerNewActivityMetrics(plugin: PluginCall): Table {
  const [sixth, last] = [plugin.args[5], plugin.args.at(-1)];
  if (last && isTabular(last)) {
    plugin.refuse(last, say('noLookback'));
    return plugin.input;
  }
  const isColumn = plugin.input.columns.some(({ name }) => sixth && nameOf(sixth) === name);
  const cohort = sixth && !isColumn ? knownValue(plugin, sixth, 6) : null;
  const read = readTimeline(plugin, 3, cohort ? 1 : 0);
  if (!read) return plugin.input;
  const [start, end, step] = read.values;
  const most = stepsBetween(read.constants);
  if (most === null || most > 10_000) {
    plugin.refuse(plugin.call, say('mostWindows'));
    return plugin.input;
  }
  const { dims, dimNames } = read;
  const type = read.input[1]?.column.type ?? 'datetime';
  const only = cohort ? ` and f_ == bin_at(${kqlOf(cohort)}, ${step}, ${start})` : '';
  const key = `key_ = tostring(pack_array(0${dimNames.map((name) => `, ${name}`).join('')}))`;
  return lowerPluginText(
    plugin,
    read.input,
    `let R = T | where t_ >= ${start} and t_ <= ${end} | extend b_ = bin_at(t_, ${step}, ${start})
    | summarize by b_, i_${dims} | summarize l_ = make_list(b_), f_ = min(b_) by i_${dims}
    | mv-expand b_ = l_ to typeof(${type}) | summarize r_ = count() by f_, b_${dims};
    R | where f_ == b_${only} | project f_, c_ = r_${dims}, ${key}
    | extend k_ = range(0, ${Math.max(most, 0)}, 1) | mv-expand k_ to typeof(long) | extend o_ = ${start} + k_ * ${step}
    | where o_ >= f_ | join kind=leftouter (R | project g_ = f_, o_ = b_, r_, ${key}) on key_, o_
    | summarize kept_ = sumif(r_, g_ == f_), new_ = sumif(r_, g_ > f_ or (o_ == f_ and g_ == f_)) by f_, o_, c_${dims}
    | project f_, o_${dims}, new_, kept_, lost_ = c_ - kept_, todouble(kept_) / c_, todouble(c_ - kept_) / c_
    | sort by f_ asc, o_ asc`,
  );
}
