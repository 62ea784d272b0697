/** A sign-in through a provider that came to nothing, and how a page that it leads back to is told. */
import { Problem } from "../../../core/errors.ts";

/** For programs: a page may say something of its own about each. */
export type Reason =
  | "access_denied" // by the provider, or by whoever stood before it (RFC 6749, 4.1.2.1)
  | "account_disabled"
  | "account_exists"
  | "linked_elsewhere"
  | "session_over"
  | "unverified";

/** An UNAUTHORIZED that says why. */
export class Refusal extends Problem {
  readonly reason: Reason;

  constructor(reason: Reason, message: string) {
    super("UNAUTHORIZED", message);
    this.reason = reason;
  }
}

export const refused = (reason: Reason, message: string) => new Refusal(reason, message);

/** The page, with the reason and a sentence in its fragment, which no server sees; as `bad_gateway`, say, what has no reason of its own. */
export function returnRefused(page: string, problem: Problem): string {
  const url = new URL(page);
  const error = problem instanceof Refusal ? problem.reason : problem.code.toLowerCase();
  url.hash = new URLSearchParams({ error, error_description: problem.message }).toString();
  return url.href;
}
