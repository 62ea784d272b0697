import { Elysia } from "elysia";
import type { Http } from "../../../http/http.ts";
import { responses } from "../../../http/responses.ts";
import { shownOnce } from "../../../http/shown-once.ts";
import type { AccountParts } from "../accounts.parts.ts";
import { sessionReply } from "../sign-in/sign-in-reply.ts";
import { exchangeHandoff } from "./exchange-handoff.ts";
import { EstablishTokenBody, ExchangeBody, HandedOff, HandoffToken } from "./handoff.schemas.ts";
import { HANDOFF_LIFETIME, issueHandoff } from "./issue-handoff.ts";

/** `/auth/establish-token` and `/auth/establish-exchange`. Responses with tokens are not wrapped in `data`. */
export const handoffRoutes = (http: Http, parts: AccountParts) =>
  new Elysia({ name: "accounts.handoff" }).use(issueRoute(http, parts)).use(exchangeRoute(http, parts));

const tags = ["Authentication"];

const issueRoute = ({ signedIn }: Http, { limits }: AccountParts) =>
  new Elysia({ name: "accounts.issue-handoff", tags }).use(signedIn).post(
    "/auth/establish-token",
    async ({ context, body }) => {
      const { token, accountType } = await issueHandoff(context, { accountType: body?.account_type });
      return { token, expires_in: HANDOFF_LIFETIME / 1000, account_type: accountType };
    },
    {
      transform: async ({ context, set }) => limits.issueHandoff(set, context.actor.userId),
      body: EstablishTokenBody.optional(),
      response: responses({ 200: shownOnce(HandoffToken) }, 400, 401, 429, 500),
      detail: {
        summary: "Get a hand-off token",
        description:
          "Another front end exchanges it within 60 seconds, once, for a session of its own. 400: also if `org` is requested without a membership. 60 in 15 minutes for each account.",
      },
    },
  );

const exchangeRoute = ({ open }: Http, parts: AccountParts) =>
  new Elysia({ name: "accounts.exchange-handoff", tags }).use(open).post(
    "/auth/establish-exchange",
    async ({ context, client, body: { token, cookie = false }, set }) => {
      const { session, accountType } = await exchangeHandoff(context, { token, client });
      return { ...(await sessionReply(parts, set, { session, cookie })), account_type: accountType };
    },
    {
      body: ExchangeBody,
      response: responses({ 200: HandedOff }, 400, 401, 500),
      detail: {
        summary: "Exchange a hand-off token",
        description:
          "Opens a session with the authentication methods and the time of the original sign-in, without its step-up. `org` acts in the organization of the original session, `pilot` in none for the whole session. The session ends when the original session is signed out or ended. 401: the token is unknown, used or expired, or the original session has ended.",
      },
    },
  );
