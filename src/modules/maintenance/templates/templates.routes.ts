import { Elysia } from "elysia";
import { z } from "zod";
import type { Language } from "../../../core/languages.ts";
import { requires } from "../../../http/before-validation.ts";
import { created } from "../../../http/created.ts";
import type { Http } from "../../../http/http.ts";
import { data, responses } from "../../../http/responses.ts";
import type { RoutePlugin } from "../../../http/route.ts";
import { usualNotice } from "../items/items.schemas.ts";
import { item } from "../items/items.shapes.ts";
import { applyTemplate } from "./apply-template.ts";
import { Template, TemplateListQuery, TemplateRef, TemplateUse } from "./templates.schemas.ts";
import { templates } from "./templates.ts";

const allIn = (language: Language) =>
  templates.map(({ key, name, items }) => ({
    key,
    name: name[language],
    items: items.map((one) => ({
      name: one.name[language],
      critical: one.critical ?? false,
      hours_counter: one.hours_counter ?? ("airframe" as const),
      interval_hours: one.interval_hours ?? null,
      interval_months: one.interval_months ?? null,
      interval_landings: one.interval_landings ?? null,
      tolerance_months: one.tolerance_months ?? 0,
      tolerance_days: one.tolerance_days ?? 0,
      upcoming_days: one.upcoming_days ?? usualNotice,
    })),
  }));

const Added = data(z.array(item.schema));
const NothingAdded = data(z.array(item.schema)).meta({
  description: "The aircraft has all of the items already.",
});

/** `/orgs/{orgId}/maintenance/templates` */
export const templateRoutes = ({ session }: Http): RoutePlugin =>
  new Elysia({ name: "maintenance templates", prefix: "/orgs/:orgId/maintenance/templates", tags: ["Maintenance"] })
    .use(session)
    .get("/", ({ query: { language } }) => ({ data: allIn(language) }), {
      transform: requires("maintenance:read"),
      query: TemplateListQuery,
      response: responses({ 200: data(z.array(Template)) }, 400, 401, 404),
      detail: { summary: "List maintenance templates", description: "Sets of items that many aircraft need." },
    })
    .post(
      "/:key/apply",
      async ({ context, params: { key }, body, set }) => {
        const added = await applyTemplate(context, { ...body, key });
        const { orgId } = context.actor;
        if (added.length > 0) created(set, `/orgs/${orgId}/maintenance/items?aircraft_id=${body.aircraft_id}`);
        return { data: added };
      },
      {
        transform: requires("maintenance:manage"),
        params: TemplateRef,
        body: TemplateUse,
        response: responses({ 200: NothingAdded, 201: Added }, 400, 401, 404, "aircraft_archived"),
        detail: {
          summary: "Add the items of a template to an aircraft",
          description: "Returns the new items. An item whose name the aircraft already has is not added again.",
        },
      },
    );
