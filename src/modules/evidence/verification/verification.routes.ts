/** `/public/orgs/{orgId}/…`: what everybody may know who has a link or a pack. */
import { Elysia } from "elysia";
import { z } from "zod";
import { Problem } from "../../../core/errors.ts";
import { type Language, preferredLanguage } from "../../../core/languages.ts";
import { prefersHtml } from "../../../http/accept.ts";
import { idOf } from "../../../http/fields.ts";
import type { Http } from "../../../http/http.ts";
import { jsonText } from "../../../http/json-text.ts";
import { alsoHtml, data, errorSchema, responses } from "../../../http/responses.ts";
import type { RoutePlugin } from "../../../http/route.ts";
import type { TenantStore } from "../../../storage/tenant-store.ts";
import { findOrganization } from "../../organizations/organizations.queries.ts";
import { readShared } from "../../sharing/read-shared.ts";
import { listKeys } from "../keys/keys.queries.ts";
import { Keys } from "../keys/keys.routes.ts";
import { packLanguage } from "../packs/pack-language.ts";
import { Verification, VerificationQuery, VerificationRef } from "./verification.schemas.ts";
import { notFoundPage, pagePolicy, verificationPage } from "./verification-page.ts";
import { issuedPack, verifyIssued } from "./verify-issued.ts";

const One = alsoHtml(data(Verification));
const None = alsoHtml(z.intersection(errorSchema(404, []), z.looseObject({})));

const html = (status: number, content: string) =>
  new Response(content, {
    status,
    headers: { "content-type": "text/html;charset=utf-8", "content-security-policy": pagePolicy },
  });

interface Options {
  tenants: Pick<TenantStore, "tenant">;
}

export const verificationRoutes = ({ open }: Http, { tenants }: Options): RoutePlugin =>
  new Elysia({ name: "verification", prefix: "/public/orgs/:orgId", tags: ["Verification"] })
    .use(open)
    .get(
      "/vtr/:vtrId/verify",
      async ({
        context: { control, clock },
        params: { orgId, vtrId },
        query: { token },
        request: { headers },
        set,
      }) => {
        set.headers.vary = "Accept, Accept-Language";
        const isPage = prefersHtml(headers.get("accept"));
        const wanted = (otherwise?: Language) => preferredLanguage(headers.get("accept-language"), otherwise);
        try {
          const presented = { orgId, purpose: "vtr", subject_id: vtrId, token } as const;
          return await readShared({ control, clock, tenants }, presented, async (tenant) => {
            const pack = await tenant.read((reader) => issuedPack(reader, vtrId));
            const found = await tenant.read((reader) => verifyIssued(reader, pack));
            if (!isPage) return jsonText(JSON.stringify({ data: found }));
            return html(200, verificationPage(found, wanted(await packLanguage({ control, tenant }, pack))));
          });
        } catch (error) {
          if (isPage && error instanceof Problem && error.code === "NOT_FOUND")
            return html(404, notFoundPage(wanted()));
          throw error;
        }
      },
      {
        params: VerificationRef,
        query: VerificationQuery,
        response: { ...responses({ 200: One }, 503), 404: None },
        detail: {
          summary: "Verify an evidence pack",
          description:
            "For the holder of a link: who issued the pack, for whom and when, its digests, and whether its signature is valid. A page for browsers, in their language or else in that of the pack; JSON for programs. 404 in the same time whatever is wrong: the organization, the pack, or the token, which may be unknown, expired, revoked or for something else.",
        },
      },
    )
    .get(
      "/keys",
      async ({ context: { control }, params: { orgId } }) => {
        await control.read((reader) => findOrganization(reader, orgId));
        return { data: await tenants.tenant(orgId).read(listKeys) };
      },
      {
        params: z.object({ orgId: idOf<"organization">() }),
        response: responses({ 200: Keys }, 404, 503),
        detail: {
          summary: "Get an organization's public keys",
          description:
            "The keys that sign its evidence packs, and those that did: the current one first. Save the response for `windsock verify --key`.",
        },
      },
    );
