import { parameter, type Sql, sql } from '../sql.ts';
import { arg, type Builder, constantText } from './builder.ts';
import { UNIT_FACTORS } from './unit-factors.ts';

// Conversions of units. A unit that is not known gives null.

const scaled =
  (quantity: keyof typeof UNIT_FACTORS): Builder =>
  (args) => {
    const units = UNIT_FACTORS[quantity];
    const [from, to] = [units[constantText(args, 1)], units[constantText(args, 2)]];
    if (from === undefined || to === undefined) return sql`NULL`;
    return sql`(${arg(args, 0)} * ${parameter('Float64', from)} / ${parameter('Float64', to)})`;
  };

/** A temperature in kelvins is `(value + shift) * factor`. */
interface Scale {
  readonly shift: number;
  readonly factor: number;
}

const SCALES: Readonly<Record<string, Scale>> = {
  Kelvin: { shift: 0, factor: 1 },
  DegreeCelsius: { shift: 273.15, factor: 1 },
  MillidegreeCelsius: { shift: 273_150, factor: 0.001 },
  DegreeFahrenheit: { shift: 459.67, factor: 5 / 9 },
  DegreeRankine: { shift: 0, factor: 5 / 9 },
  DegreeDelisle: { shift: -559.725, factor: -2 / 3 },
  DegreeNewton: { shift: 273.15 * 0.33, factor: 100 / 33 },
  DegreeReaumur: { shift: 273.15 * 0.8, factor: 1.25 },
  DegreeRoemer: { shift: 273.15 * 0.525 - 7.5, factor: 40 / 21 },
  SolarTemperature: { shift: 0, factor: 5778 },
};

const temperature: Builder = (args) => {
  const [from, to] = [SCALES[constantText(args, 1)], SCALES[constantText(args, 2)]];
  if (!from || !to) return sql`NULL`;
  const real = (value: number): Sql => parameter('Float64', value);
  const value = arg(args, 0);
  if (from === to) return value;
  if (from.factor === to.factor) return sql`(${value} + ${real(from.shift - to.shift)})`;
  return sql`((${value} + ${real(from.shift)}) * ${real(from.factor / to.factor)} - ${real(to.shift)})`;
};

/** `convert_length(1.2, 'Meter', 'Foot')` and its kin. */
export const UNIT_BUILDERS: Readonly<Record<string, Builder>> = {
  convert_angle: scaled('angle'),
  convert_energy: scaled('energy'),
  convert_force: scaled('force'),
  convert_length: scaled('length'),
  convert_mass: scaled('mass'),
  convert_speed: scaled('speed'),
  convert_temperature: temperature,
  convert_volume: scaled('volume'),
};
