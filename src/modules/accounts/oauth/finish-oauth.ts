import { badGateway, badRequest, refused } from "../../../core/errors.ts";
import type { Context } from "../../../storage/context.ts";
import type { NoticePost } from "../email/notices.ts";
import type { Client } from "../sessions/sessions.ts";
import { type SignIn, signIn } from "../sign-in/sign-in.ts";
import { accountFor } from "./account-for.ts";
import type { Flow } from "./flows.ts";
import type { OAuth } from "./start-oauth.ts";

interface Finish {
  flow: Flow;
  /** Why the provider refuses, if it does. */
  error: string | undefined;
  /** The callback's address with the query it was called with. */
  answer: URL;
  client: Client;
}

/** Not a refusal, but a provider that is out of order and says so (RFC 6749, 4.1.2.1). */
const outOfOrder: ReadonlySet<string> = new Set(["server_error", "temporarily_unavailable"]);

/**
 * Ends a sign-in that `takeFlow` has taken: with a session, or, for an account with a second factor, a challenge. No
 * transaction is open while the provider is asked.
 *
 * @throws UNAUTHORIZED the provider refuses, or as `accountFor`
 * @throws BAD_REQUEST  the provider does not know the code, or is not configured any more
 * @throws BAD_GATEWAY  the provider is out of reach, or its answer is not to be believed
 */
export async function finishOAuth(
  context: Context & OAuth & NoticePost,
  { flow, error, answer, client }: Finish,
): Promise<SignIn> {
  const { control, providers } = context;
  if (error !== undefined && outOfOrder.has(error)) throw badGateway("The provider is out of order. Try again later.");
  if (error !== undefined) throw refused("access_denied", "The provider did not let you in.");
  const provider = providers.get(flow.provider);
  if (!provider) throw badRequest("This provider is not configured any more.");

  const person = await provider.identify(answer, flow.secrets);
  return control.write(async (tx) => {
    const account = await accountFor(tx, context, { provider: provider.name, person, beginner: flow.beginner });
    // A page that the browser is sent to is handed no token but in the cookie.
    return signIn(tx, context, { account, orgId: null, amr: ["oidc"], client, cookie: flow.redirectTo !== null });
  });
}
