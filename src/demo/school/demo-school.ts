/** The demo school, as its parts see it. */
import type { Api, Session } from "../api.ts";
import type { DemoClock } from "../clock.ts";
import type { Booking } from "../plan/booking.ts";

/** A user who can sign in. */
export interface Account extends Session {
  name: string;
  email: string;
}

export interface DemoSchool {
  api: Api;
  clock: DemoClock;
  id: string;
  name: string;
  /** The path of its routes. */
  org: string;
  /** The same for all accounts. */
  password: string;
  owner: Account;
  /** Returns the account of somebody. @throws the person has none */
  account(key: string): Account;
  /** Returns an account that writes for this instructor. */
  deskOf(instructor: string | null): Account;
  /** Returns a person's id. */
  person(key: string): string;
  aircraft: ReadonlyMap<string, string>;
  plan: readonly Booking[];
  /** Returns the date of a day, counted from the demo's. */
  dateOf(day: number): Temporal.PlainDate;
}

export const zone = "Europe/Berlin";

/** Returns the instant of a local time. */
export const instantAt = (date: Temporal.PlainDate, plainTime: string): Temporal.Instant =>
  date.toZonedDateTime({ timeZone: zone, plainTime }).toInstant();

/** @throws there is no such key */
export function known<K, V>(map: ReadonlyMap<K, V>, key: K): V {
  const found = map.get(key);
  if (found === undefined) throw new Error(`The demo knows no ${String(key)}.`);
  return found;
}
