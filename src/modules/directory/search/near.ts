/** Distances on the sphere, as conditions in SQL: a box by the index, then the great circle. */
import { and, or, type SQL, sql } from "drizzle-orm";
import { directoryEntries as table } from "../entries.tables.ts";

/** Millionths of a degree. */
export interface Point {
  latitude: number;
  longitude: number;
}

/** The mean radius of the earth in kilometres. */
const EARTH = 6371.0088;

const radians = (millionths: number) => (millionths / 1e6) * (Math.PI / 180);
const millionths = (angle: number) => Math.ceil(angle * (180 / Math.PI) * 1e6);

/** The box that contains the circle. Where it crosses the 180th meridian, it is two; around a pole, it has all longitudes. */
function inBox({ latitude, longitude }: Point, angle: number, plus: SQL): SQL | undefined {
  const north = latitude + millionths(angle);
  const south = latitude - millionths(angle);
  const isBetween = sql`${plus}${table.latitude} between ${south} and ${north}`;
  if (north >= 90e6 || south <= -90e6) return isBetween;
  const width = millionths(Math.asin(Math.min(1, Math.sin(angle) / Math.cos(radians(latitude)))));
  const [west, east] = [longitude - width, longitude + width];
  const parts = [sql`${plus}${table.longitude} between ${west} and ${east}`];
  if (west < -180e6) parts.push(sql`${plus}${table.longitude} >= ${west + 360e6}`);
  if (east > 180e6) parts.push(sql`${plus}${table.longitude} <= ${east - 360e6}`);
  return and(isBetween, or(...parts));
}

/**
 * Matches entries within a distance of a point. The haversine formula is exact for small distances, too.
 *
 * @param searches whether SQLite may use the index of the coordinates
 */
export function isNear(point: Point, radiusKm: number, searches: boolean): SQL | undefined {
  const plus = sql.raw(searches ? "" : "+");
  const angle = radiusKm / EARTH;
  if (angle >= Math.PI) return sql`${plus}${table.latitude} is not null`;
  const most = Math.sin(angle / 2) ** 2;
  const [phi, lambda] = [radians(point.latitude), radians(point.longitude)];
  const sine = (value: SQL) => sql`sin((${value}) / 2) * sin((${value}) / 2)`;
  const haversine = sql`${sine(sql`radians(${table.latitude} / 1e6) - ${phi}`)}
    + ${Math.cos(phi)} * cos(radians(${table.latitude} / 1e6)) * ${sine(sql`radians(${table.longitude} / 1e6) - ${lambda}`)}`;
  return and(angle >= Math.PI / 2 ? undefined : inBox(point, angle, plus), sql`${haversine} <= ${most}`);
}
