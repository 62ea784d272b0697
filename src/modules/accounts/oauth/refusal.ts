/** How a page that a sign-in through a provider leads back to is told that the sign-in was refused. */
import type { Problem } from "../../../core/errors.ts";

/** The page, with the error and a sentence in its fragment, which no server sees. */
export function returnRefused(page: string, problem: Problem): string {
  const url = new URL(page);
  url.hash = new URLSearchParams({ error: errorOf(problem), error_description: problem.message }).toString();
  return url.href;
}

/** The reason of a refused sign-in; the code of any other problem, as `bad_gateway`. */
function errorOf({ code, reason }: Problem): string {
  // On a page, as in a login, the account alone is meant.
  if (reason === "linked_account_disabled") return "account_disabled";
  return code === "UNAUTHORIZED" && reason !== undefined ? reason : code.toLowerCase();
}
