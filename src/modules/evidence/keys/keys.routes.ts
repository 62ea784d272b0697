import { Elysia } from "elysia";
import { z } from "zod";
import { requires } from "../../../http/before-validation.ts";
import type { Http } from "../../../http/http.ts";
import { data, responses } from "../../../http/responses.ts";
import type { RoutePlugin } from "../../../http/route.ts";
import { listKeys } from "./keys.queries.ts";
import { SigningKey } from "./keys.schemas.ts";
import { rotateSigningKey } from "./signing-key.ts";

export const Keys = data(z.array(SigningKey));

/** `/orgs/{orgId}/signing-keys` */
export const signingKeyRoutes = ({ session }: Http): RoutePlugin =>
  new Elysia({ name: "signing-keys", prefix: "/orgs/:orgId/signing-keys", tags: ["Evidence packs"] })
    .use(session)
    .get("/", async ({ context: { tenant } }) => ({ data: await tenant.read(listKeys) }), {
      transform: requires("evidence:manage", "evidence:own"),
      response: responses({ 200: Keys }, 401, 404),
      detail: {
        summary: "List signing keys",
        description:
          "The public keys of the organization, the current one first. The first is made with the first pack.",
      },
    })
    .post("/rotate", async ({ context }) => ({ data: await rotateSigningKey(context) }), {
      transform: requires("evidence:manage"),
      response: responses({ 200: data(SigningKey) }, 400, 401, 404, "step_up_required", "installation_key_missing"),
      detail: {
        summary: "Rotate the signing key",
        description: "Packs are signed with a new key from now on. What the earlier keys signed stays valid.",
      },
    });
