import { Elysia } from "elysia";
import { z } from "zod";
import type { Http } from "../../../http/http.ts";
import { data, responses } from "../../../http/responses.ts";
import { findIdentity, listIdentities } from "./identities.queries.ts";
import { Identity, IdentityRef, Unlinked } from "./oauth.schemas.ts";
import type { OAuth } from "./start-oauth.ts";
import { unlinkProvider } from "./unlink-provider.ts";

/** `/auth/identities`: the providers linked to the caller's account. */
export const identityRoutes = ({ signedIn }: Http, { providers }: Pick<OAuth, "providers">) =>
  new Elysia({ name: "oauth.identities", prefix: "/auth/identities", tags: ["Authentication"] })
    .use(signedIn)
    .get(
      "",
      async ({ context: { actor, control } }) => ({
        data: await control.read((reader) => listIdentities(reader, actor.userId)),
      }),
      {
        response: responses({ 200: data(z.array(Identity)) }, 401),
        detail: {
          summary: "List your linked providers",
          description: "A sign-in through one of them signs in to this account. Oldest first.",
        },
      },
    )
    .get(
      "/:provider",
      async ({ context: { actor, control }, params: { provider } }) => ({
        data: await control.read((reader) => findIdentity(reader, actor.userId, provider)),
      }),
      {
        params: IdentityRef,
        response: responses({ 200: data(Identity) }, 401, 404),
        detail: { summary: "Get a linked provider", description: "404: it is not linked." },
      },
    )
    .delete(
      "/:provider",
      async ({ context, params: { provider } }) => {
        await unlinkProvider({ ...context, providers }, { provider });
        return { status: "unlinked" } as const;
      },
      {
        params: IdentityRef,
        response: responses({ 200: Unlinked }, 401, 404, "step_up_required", "last_sign_in_method"),
        detail: {
          summary: "Unlink a provider",
          description:
            "The provider can no longer sign in to the account; open sessions stay. 404: it is not linked. 409: the account has no other way to sign in; `POST /auth/password/forgot` sets a password.",
        },
      },
    );
