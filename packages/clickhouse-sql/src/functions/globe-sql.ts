import { type Sql, sql } from '../sql.ts';
import { arg, type Builder } from './builder.ts';
import { named } from './series-sql.ts';

// The point of a row on the globe.

/** Whether a longitude and a latitude are a point; false where one is missing. */
export const isOnGlobe = (longitude: Sql, latitude: Sql): Sql =>
  sql`ifNull(abs(${longitude}) <= 180 AND abs(${latitude}) <= 90, false)`;

/** `body` with the point of the first two arguments as the unit vector `gpx`, `gpy`, `gpz`; null for a point off the globe. */
export function onPoint(args: Parameters<Builder>[0], body: Sql): Sql {
  const [longitude, latitude] = [arg(args, 0), arg(args, 1)];
  const [phi, theta] = [sql`radians(ifNull(${latitude}, 0))`, sql`radians(ifNull(${longitude}, 0))`];
  const vector = {
    gpx: sql`cos(${phi}) * cos(${theta})`,
    gpy: sql`cos(${phi}) * sin(${theta})`,
    gpz: sql`sin(${phi})`,
  };
  return sql`if(${isOnGlobe(longitude, latitude)}, ${named(vector, body)}, NULL)`;
}
