/** The redirect of a failed sign-in through a provider. */
import type { Problem } from "../../../core/errors.ts";

/** Returns the page's address with the error and a message in its fragment, which is not sent to the server. */
export function returnRefused(page: string, problem: Problem): string {
  const url = new URL(page);
  url.hash = new URLSearchParams({ error: errorOf(problem), error_description: problem.message }).toString();
  return url.href;
}

/** Returns the reason of a rejected sign-in, or the code of another problem, such as `bad_gateway`. */
function errorOf({ code, reason }: Problem): string {
  // The same name as in the response to a login.
  if (reason === "linked_account_disabled") return "account_disabled";
  return code === "UNAUTHORIZED" && reason !== undefined ? reason : code.toLowerCase();
}
