/** The limits of request bodies. A route that needs more says so: `body: withLimits({ bytes: 1024 * 1024 }, NewImport)`. */
import type { z } from "zod";
import type { Route } from "./route.ts";

export interface BodyLimits {
  bytes: number;
  /** Fields and list items, at all depths. */
  entries: number;
}

/** The largest bodies of the API, with every field and 20 headers or 10 crew members, have 60 entries and 25 KB. */
export const usualLimits: BodyLimits = { bytes: 64 * 1024, entries: 500 };

const own = new WeakMap<object, BodyLimits>();

/** Gives a body limits of its own. */
export function withLimits<Schema extends z.ZodType>(limits: Partial<BodyLimits>, schema: Schema): Schema {
  own.set(schema, { ...usualLimits, ...limits });
  return schema;
}

/** Returns the limits of the route's body; `undefined` for a route that reads none. */
export const bodyLimitsOf = ({ hooks: { body } }: Pick<Route, "hooks">): BodyLimits | undefined =>
  typeof body === "object" && body !== null ? (own.get(body) ?? usualLimits) : undefined;

export const kibibytes = (bytes: number) => `${Math.floor(bytes / 1024)} KiB`;
