import { Elysia } from "elysia";
import type { Http } from "../../http/http.ts";
import { data, responses } from "../../http/responses.ts";
import { tokenPair } from "../accounts/sessions/token-pair.ts";
import type { OrganizationDeps } from "./organizations.deps.ts";
import { SignedUp, SignUpBody } from "./organizations.schemas.ts";
import { signUpOrganization } from "./sign-up-organization.ts";

export function signUpRoute({ open }: Http, parts: OrganizationDeps) {
  const { passwords, tenants, limits, mailer, publicUrl, linkUrl } = parts;
  const deps = { passwords, tenants, mailer, publicUrl, linkUrl };

  return new Elysia({ name: "organizations.sign-up", tags: ["Authentication"] }).use(open).post(
    "/auth/signup-org",
    async ({ context, client, body, set }) => {
      limits.signUp(set, client);
      const { approval_number, authority, home_icao, time_zone, currency, ...named } = body.organization;
      const organization = {
        ...named,
        approval_number: approval_number ?? null,
        authority: authority ?? null,
        home_icao: home_icao ?? null,
        time_zone: time_zone ?? "UTC",
        currency: currency ?? "EUR",
      };
      const made = await signUpOrganization({ ...context, ...deps }, { ...body, organization, client });
      const tokens = await tokenPair(parts, made.session);
      set.status = 201;
      return { data: { user: made.user, organization: made.organization, tokens } };
    },
    {
      body: SignUpBody,
      response: responses({ 201: data(SignedUp) }, 400, 429, "email_taken"),
      detail: {
        summary: "Sign up an organization",
        description:
          "Makes an account, an organization and its empty records; the account is its owner and signed in at once. 409: the e-mail address has an account. 10 an hour for each client address.",
      },
    },
  );
}
