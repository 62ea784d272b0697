import { Elysia } from "elysia";
import type { Clock } from "../../../core/clock.ts";
import { created } from "../../../http/created.ts";
import type { Http } from "../../../http/http.ts";
import { jsonData } from "../../../http/json-text.ts";
import { listPage } from "../../../http/list-page.ts";
import { createLimiter, takeOrRefuse } from "../../../http/rate-limit.ts";
import { data, page, responses } from "../../../http/responses.ts";
import type { RoutePlugin } from "../../../http/route.ts";
import { OpportunityRef } from "../opportunities/opportunities.schemas.ts";
import type { ApplicationMailer } from "./application-mails.ts";
import { findApplication, listApplications } from "./applications.queries.ts";
import {
  ApplicationListQuery,
  ApplicationRef,
  ApplicationStatusChange,
  NewApplication,
} from "./applications.schemas.ts";
import { application, applicationDetail } from "./applications.shapes.ts";
import { apply } from "./apply.ts";
import { setApplicationStatus } from "./set-status.ts";

const One = data(applicationDetail.schema);

interface Options {
  clock: Clock;
  mail: ApplicationMailer;
}

/** `POST /opportunities/{opportunityId}/applications` */
export function applyRoute({ signedIn }: Http, { clock, mail }: Options): RoutePlugin {
  const perAccount = createLimiter({ clock, limit: 30, windowSeconds: 60 * 60 });
  return new Elysia({ name: "apply", prefix: "/opportunities", tags: ["Marketplace"] }).use(signedIn).post(
    "/:opportunityId/applications",
    async ({ context, params, body, set }) => {
      takeOrRefuse(set, "applications", perAccount, context.actor.userId);
      const added = await apply({ ...context, mail }, { ...params, ...body });
      created(set, `/applications/${added.value.id}`);
      return jsonData(added);
    },
    {
      params: OpportunityRef,
      body: NewApplication,
      response: responses({ 201: One }, 400, 401, 404, 429, "own_organization", "already_applied", "wrong_status"),
      detail: {
        summary: "Apply for an opportunity",
        description:
          "For every account that is not a member of the organization. From then on, the organization sees the account's name and e-mail address. Once for each opportunity, 30 an hour for each account. If a mail server is configured, its managers get a mail.",
      },
    },
  );
}

/** `/applications` */
export const applicationRoutes = ({ userOrMember }: Http, { mail }: Pick<Options, "mail">): RoutePlugin =>
  new Elysia({ name: "applications", prefix: "/applications", tags: ["Marketplace"] })
    .use(userOrMember)
    .get(
      "/",
      async ({ context: { control, actor }, query }) =>
        listPage(query, (query) => control.read((reader) => listApplications(reader, actor, query))),
      {
        query: ApplicationListQuery,
        response: responses({ 200: page(application.schema) }, 400, 401),
        detail: {
          summary: "List applications",
          description:
            "What the organization received, the newest first, for members with `marketplace:manage`; with `mine=true`, or for an account without an organization, the caller's own.",
        },
      },
    )
    .get(
      "/:applicationId",
      async ({ context: { control, actor }, params: { applicationId } }) =>
        jsonData(await control.read((reader) => findApplication(reader, actor, applicationId))),
      {
        params: ApplicationRef,
        response: responses({ 200: One }, 401, 404),
        detail: {
          summary: "Get an application",
          description: "With its history, for the applicant and for the organization that received it.",
        },
      },
    )
    .patch(
      "/:applicationId/status",
      async ({ context, params, body }) =>
        jsonData(await setApplicationStatus({ ...context, mail }, { ...params, ...body })),
      {
        params: ApplicationRef,
        body: ApplicationStatusChange,
        response: responses({ 200: One }, 400, 401, "permission_missing"),
        detail: {
          summary: "Set the status of an application",
          description:
            "The organization: `submitted` to `shortlisted` or `rejected`, `shortlisted` to `accepted` or `rejected`. The applicant: `submitted` or `shortlisted` to `withdrawn`. `accepted`, `rejected` and `withdrawn` are final. 400: the status can't follow the present one. 403: it is not for the caller to set, or there is no such application that the caller may see. If a mail server is configured, the applicant gets a mail when the organization sets it.",
        },
      },
    );
