/** The demo school, as its parts see it. */
import type { Api } from "./api.ts";

/** A user who can sign in. */
export interface Account {
  name: string;
  email: string;
  token: string;
  /** The user's person in the school's records. */
  personId: string;
}

export interface DemoSchool {
  api: Api;
  id: string;
  name: string;
  owner: Account;
  instructor: Account;
  student: Account;
  /** The same for all accounts. */
  password: string;
  apiKey: string;
  aircraft: ReadonlyMap<string, string>;
  flights: number;
  /** Drafts a flight. @returns its id */
  draft(by: Account, flight: DemoFlight): Promise<string>;
  submit(by: Account, flightId: string): Promise<void>;
  approve(by: Account, flightId: string): Promise<void>;
  /** @returns the aircraft's Hobbs meter */
  hobbs(registration: string): Promise<string>;
}

export interface DemoFlight {
  registration: string;
  /** Hours from its end to now. */
  hoursAgo: number;
  minutes: number;
  from: string;
  to: string;
  lesson?: string;
  landings?: number;
  hobbs?: [start: string, end: string];
  crew: readonly { account: Account; function: "solo" | "dual" | "instructor" | "pic" }[];
}
