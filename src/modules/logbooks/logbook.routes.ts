import { Elysia } from "elysia";
import { requires } from "../../http/before-validation.ts";
import type { Http } from "../../http/http.ts";
import { jsonData } from "../../http/json-text.ts";
import { data, responses } from "../../http/responses.ts";
import type { RoutePlugin } from "../../http/route.ts";
import { documentLanguage } from "../../identity/language.queries.ts";
import { logPageOf } from "./log-page.ts";
import { findOpeningTotals, logbookOf, personWithLogbook } from "./logbook.queries.ts";
import { logbookEntry, openingTotals } from "./logbook.shapes.ts";
import { LogbookTotals, LogQuery, logPage, OpeningTotalsChange, PersonRef } from "./logbooks.schemas.ts";
import { logbookFor } from "./pdf/logbook-pdf.ts";
import { setOpeningTotals } from "./set-opening-totals.ts";

/** `/orgs/{orgId}/people/{personId}/logbook` */
export const logbookRoutes = ({ session }: Http): RoutePlugin =>
  new Elysia({ name: "logbook", prefix: "/orgs/:orgId/people/:personId/logbook", tags: ["Logbooks"] })
    .use(session)
    .get(
      "/",
      async ({ context, params: { personId }, query }) => {
        const { actor, tenant, clock } = context;
        const person = await tenant.read((reader) => personWithLogbook(reader, personId, actor));
        return logPageOf(tenant, {
          ledger: logbookOf(tenant, personId, query),
          query,
          book: async () => {
            const language = await documentLanguage(context, person, actor.userId);
            return logbookFor(person, { period: query, language, now: clock.now() });
          },
        });
      },
      {
        transform: requires("people:read", "people:read_own"),
        params: PersonRef,
        query: LogQuery,
        response: responses({ 200: logPage(LogbookTotals, logbookEntry.schema) }, 400, 401, 404),
        detail: {
          summary: "Get a person's logbook",
          description:
            "Approved flights and simulator sessions, imported ones too, in the order of departure, with the columns of AMC1 FCL.050. Times and dates are in UTC. Flight time is block time. Landings are those that the person made. The PDF file marks solo, SPIC and PICUS, which count as PIC, and has a line for the countersignature of SPIC and PICUS; it is in the language of the person, or else of their account or the caller's. Opening totals are part of `brought_forward`. For the person, and for members who may read people and flights.",
        },
      },
    )
    .get(
      "/opening-totals",
      async ({ context: { actor, tenant }, params: { personId } }) => {
        await tenant.read((reader) => personWithLogbook(reader, personId, actor));
        return jsonData(await tenant.read((reader) => findOpeningTotals(reader, personId)));
      },
      {
        transform: requires("people:read", "people:read_own"),
        params: PersonRef,
        response: responses({ 200: data(openingTotals.schema) }, 401, 404),
        detail: {
          summary: "Get the opening totals of a logbook",
          description:
            "What the person has flown before the first flight of the logbook; zeros if nothing was entered.",
        },
      },
    )
    .patch(
      "/opening-totals",
      async ({ context, params, body }) => jsonData(await setOpeningTotals(context, { ...params, change: body })),
      {
        transform: requires("people:read", "people:read_own"),
        params: PersonRef,
        body: OpeningTotalsChange,
        response: responses({ 200: data(openingTotals.schema) }, 400, 401, 404, "person_archived"),
        detail: {
          summary: "Set the opening totals of a logbook",
          description:
            "What the person has flown before the first flight of the logbook, without flights that are in it. Changes the given fields. For members who manage people, and for the person.",
        },
      },
    );
