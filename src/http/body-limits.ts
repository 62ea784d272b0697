/**
 * The media types and the limits of request bodies. A route that needs more says so:
 * `body: withLimits({ bytes: 1024 * 1024 }, NewImport)`.
 */
import { z } from "zod";
import type { Route } from "./route.ts";

export interface BodyLimits {
  bytes: number;
  /** Fields and list items, at all depths. */
  entries: number;
  /** How the route gets it: parsed, as text, or as a stream (`file-body.ts`). */
  form: "json" | "csv" | "file";
  mediaTypes: readonly string[];
}

/** The largest bodies of the API, with every field and 20 headers or 10 crew members, have 60 entries and 25 KB. */
export const usualLimits: BodyLimits = {
  bytes: 64 * 1024,
  entries: 500,
  form: "json",
  mediaTypes: ["application/json"],
};

const own = new WeakMap<object, BodyLimits>();

/** Gives a body limits of its own. */
export function withLimits<Schema extends z.ZodType>(limits: Partial<BodyLimits>, schema: Schema): Schema {
  own.set(schema, { ...usualLimits, ...limits });
  return schema;
}

/** A body of CSV text. The route gets the text; its lines are checked by what reads them. */
export const csvBody = (bytes: number, about: { description: string; examples: [string] }) =>
  withLimits({ bytes, form: "csv", mediaTypes: ["text/csv"] }, z.string({ error: "Send a CSV file." }).meta(about));

/** Returns the limits of a body. */
export const limitsOf = (body: object): BodyLimits => own.get(body) ?? usualLimits;

/** Returns the limits of the route's body; `undefined` for a route that reads none. */
export const bodyLimitsOf = ({ hooks: { body } }: Pick<Route, "hooks">): BodyLimits | undefined =>
  typeof body === "object" && body !== null ? limitsOf(body) : undefined;

/** `64 KiB`, `10 MiB` */
export const inUnits = (bytes: number): string =>
  bytes % MEBIBYTE === 0 ? `${bytes / MEBIBYTE} MiB` : `${Math.floor(bytes / 1024)} KiB`;

export const MEBIBYTE = 1024 * 1024;
