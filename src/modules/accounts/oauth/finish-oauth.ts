import { badGateway, badRequest, refused } from "../../../core/errors.ts";
import type { Context } from "../../../storage/context.ts";
import type { NoticeMailer } from "../email/notices.ts";
import type { Client } from "../sessions/sessions.ts";
import { type SignIn, signIn } from "../sign-in/sign-in.ts";
import type { SignUpSetting } from "../sign-up-setting.ts";
import { accountFor } from "./account-for.ts";
import type { Flow } from "./flows.ts";
import type { OAuth } from "./start-oauth.ts";

interface Finish {
  flow: Flow;
  /** The `error` that the provider returned, if any. */
  error: string | undefined;
  /** The address of the callback with the query of the request. */
  callback: URL;
  client: Client;
}

/** The errors of a faulty provider, as opposed to a refusal (RFC 6749, 4.1.2.1). */
const serverErrors: ReadonlySet<string> = new Set(["server_error", "temporarily_unavailable"]);

/**
 * Finishes a flow that `takeFlow` has returned: opens a session, or creates a challenge if the account has a second factor.
 * No transaction is open during the requests to the provider.
 *
 * @throws UNAUTHORIZED the provider denied access, or as `accountFor`
 * @throws FORBIDDEN    as `accountFor`
 * @throws BAD_REQUEST  the provider does not know the code, or is no longer configured
 * @throws BAD_GATEWAY  the provider is unreachable, or its response is invalid
 */
export async function finishOAuth(
  context: Context & OAuth & NoticeMailer & { signUp: SignUpSetting },
  { flow, error, callback, client }: Finish,
): Promise<SignIn> {
  const { control, providers } = context;
  if (error !== undefined && serverErrors.has(error))
    throw badGateway("The provider reports an error. Try again later.");
  if (error !== undefined) throw refused("access_denied", "The provider denied access.");
  const provider = providers.get(flow.provider);
  if (!provider) throw badRequest("This provider is no longer configured.");

  const person = await provider.identify(callback, flow.secrets);
  return control.write(async (tx) => {
    const { language } = client;
    const account = await accountFor(tx, context, {
      provider: provider.name,
      person,
      language,
      beginner: flow.beginner,
    });
    return signIn(tx, context, { account, orgId: null, amr: ["oidc"], client, cookie: flow.cookie });
  });
}
