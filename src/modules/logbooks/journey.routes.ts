import { Elysia } from "elysia";
import { requires } from "../../http/before-validation.ts";
import type { Http } from "../../http/http.ts";
import { responses } from "../../http/responses.ts";
import type { RoutePlugin } from "../../http/route.ts";
import { accountLanguage } from "../../identity/language.queries.ts";
import { requireAircraft } from "../fleet/fleet.queries.ts";
import { journeyLogOf } from "./journey.queries.ts";
import { journey } from "./journey.shapes.ts";
import { logPageOf } from "./log-page.ts";
import { AircraftRef, JourneyTotals, LogQuery, logPage } from "./logbooks.schemas.ts";
import { journeyLogFor } from "./pdf/journey-pdf.ts";

/** `/orgs/{orgId}/aircraft/{aircraftId}/journey-log` */
export const journeyLogRoutes = ({ session }: Http): RoutePlugin =>
  new Elysia({ name: "journey log", prefix: "/orgs/:orgId/aircraft/:aircraftId/journey-log", tags: ["Logbooks"] })
    .use(session)
    .get(
      "/",
      async ({ context, params: { aircraftId }, query }) => {
        const { actor, tenant, clock } = context;
        const aircraft = await tenant.read((reader) => requireAircraft(reader, aircraftId));
        return logPageOf(tenant, {
          ledger: journeyLogOf(tenant, aircraftId, query),
          query,
          book: async () => {
            const language = (await accountLanguage(context, actor.userId)) ?? "en";
            return journeyLogFor(aircraft, { period: query, language, now: clock.now() });
          },
        });
      },
      {
        transform: requires("flights:read"),
        params: AircraftRef,
        query: LogQuery,
        response: responses({ 200: logPage(JourneyTotals, journey.schema) }, 400, 401, 404),
        detail: {
          summary: "Get an aircraft's journey log",
          description:
            "Approved flights, imported ones too, in the order of departure, with crews, readings, uplifts, remarks to the workshop and the defects that were reported on them. Times and dates are in UTC. The PDF file is in the language of the caller's account.",
        },
      },
    );
