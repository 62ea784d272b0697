import { Elysia } from "elysia";
import type { Http } from "../../../http/http.ts";
import { data, responses } from "../../../http/responses.ts";
import { changeAccount } from "../../accounts/change-account.ts";
import { applyIntentsWith, type OrganizationDeps } from "../organizations.deps.ts";
import { readMe } from "./me.queries.ts";
import { Me, MeChange } from "./me.schemas.ts";

/** `/auth/me` */
export const meRoutes = ({ signedIn }: Http, { tenants, ...deps }: OrganizationDeps) =>
  new Elysia({ name: "organizations.me", tags: ["Authentication"] })
    .use(signedIn)
    .get("/auth/me", async ({ context }) => ({ data: await readMe({ ...context, tenants }) }), {
      response: responses({ 200: data(Me) }, 401),
      detail: {
        summary: "Get yourself",
        description:
          "Returns the account, its session, its permissions in the installation, and its organizations with the roles, the permissions and the person in each.",
      },
    })
    .patch(
      "/auth/me",
      async ({ context, body }) => {
        await changeAccount(context, body);
        const me = await readMe({ ...context, tenants });
        for (const { id } of me.organizations) await applyIntentsWith(deps)(id);
        return { data: me };
      },
      {
        body: MeChange,
        response: responses({ 200: data(Me) }, 400, 401),
        detail: {
          summary: "Change yourself",
          description:
            "Changes your name, and the language of the mails to you, in all organizations. The person in the records of an organization keeps its name. At the sign-up the language was the one that the browser prefers (`Accept-Language`).",
        },
      },
    );
