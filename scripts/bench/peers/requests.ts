/** What the load generator is asked to do, and what it found. */

export interface Question {
  method: "GET" | "POST";
  /** `{n}` stands for the number of the request, `{from}` for an instant of its own, `{offset}` for its offset. */
  path: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
}

export interface Load {
  port: number;
  request: Question;
  connections: number;
  seconds: number;
  /** The number of the first request: the same numbers are the same questions. */
  first: number;
}

export interface Tally {
  answered: number;
  /** From the first request to the last answer. */
  seconds: number;
}

/** Flights that the school has beyond one page of 100. */
export const flightsBeyondPage = 400;

/** Long before the first flight, so that no filter leaves one out. */
const before = Date.UTC(2020, 0, 1);

export function pathOf({ path }: Question, n: number): string {
  return path
    .replace("{from}", () => new Date(before + n).toISOString())
    .replace("{offset}", () => String((n * 37) % flightsBeyondPage));
}
