/**
 * What the routes of a module need of a school, so that tests which are generated from the list of routes can call them
 * (`stage.ts`). It lies with the module's tests, in `test/http/<module>/scenery.ts`.
 */
import type { BodyLimits } from "../../src/http/body-limits.ts";
import type { Security } from "../../src/http/route-security.ts";
import type { Operation } from "./document.ts";
import type { Installation } from "./installation.ts";
import type { School } from "./school.ts";

/** A school in the stage's own installation, so that tests can read the mails. */
export type StagedSchool = School<Installation>;

/** A route for generated tests. */
export interface StagedRoute {
  /** `POST /orgs/{orgId}/flights` */
  name: string;
  method: string;
  template: string;
  security: Security;
  /** Its operation in the document. A hidden route has none. */
  operation: Operation | undefined;
  /** The limits of its body. */
  limits: BodyLimits;
}

/** The values of the names in a path. */
export type Given = Readonly<Record<string, string>>;

/** A request. */
export interface Prepared {
  path: string;
  /** The peer's address, where it matters: some routes are for callers on the same machine. */
  from?: string;
  body?: unknown;
  /** A query and a cookie that it needs to succeed. */
  query?: string;
  headers?: Record<string, string>;
  /** The access token of the caller, if only some users may call the route. */
  caller?: string;
}

/** A caller in a special state, and the request of such a caller. */
export interface Called {
  caller: string;
  body?: Record<string, unknown>;
  params?: Record<string, string>;
}

export interface Scenery {
  /**
   * By names in paths: creates a record of a school, where an example posted to its collection is not enough. `undefined`
   * if the route is not the module's. A nested record finds its parent in `given`, the values of the earlier names:
   * `documentId: (school, _, { personId }) => …`.
   */
  readonly params?: Readonly<
    Record<string, (school: StagedSchool, route: StagedRoute, given: Given) => Promise<string | undefined>>
  >;
  /**
   * By routes: replaces the fields whose examples in the document can't be valid: ids of this school, unused tokens, and
   * times relative to the test's clock. Other routes use the example unchanged.
   */
  readonly bodies?: Readonly<Record<string, (school: StagedSchool, given: Given) => Promise<Record<string, unknown>>>>;
  /** By routes that need a caller in a special state. */
  readonly callers?: Readonly<Record<string, (school: StagedSchool) => Promise<Called>>>;
  /** By routes that need a query, or that a browser is redirected to: the query and the headers. */
  readonly arrivals?: Readonly<
    Record<string, (school: StagedSchool, given: Given) => Promise<Pick<Prepared, "query" | "headers" | "body">>>
  >;
}

let count = 100;

/** Returns a number that no record has yet. */
export const next = () => ++count;
