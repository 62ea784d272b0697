import { Elysia } from "elysia";
import { toInstant } from "../../../core/clock.ts";
import { requires } from "../../../http/before-validation.ts";
import type { Http } from "../../../http/http.ts";
import { data, responses } from "../../../http/responses.ts";
import type { RoutePlugin } from "../../../http/route.ts";
import { Forecast, ForecastQuery } from "./forecast.schemas.ts";
import { readForecast } from "./read-forecast.ts";

/** `/orgs/{orgId}/maintenance/forecast` */
export const forecastRoutes = ({ session }: Http): RoutePlugin =>
  new Elysia({ name: "maintenance forecast", prefix: "/orgs/:orgId/maintenance/forecast", tags: ["Maintenance"] })
    .use(session)
    .get(
      "",
      async ({ context: { tenant, actor, clock }, query }) => ({
        data: await tenant.read((reader) => readForecast(reader, actor, query, toInstant(clock.now()))),
      }),
      {
        transform: requires("maintenance:read"),
        query: ForecastQuery,
        response: responses({ 200: data(Forecast) }, 400, 401, 404),
        detail: {
          summary: "Forecast the maintenance of the fleet",
          description:
            "All items with their limits, and when each is due: by the use of the last 90 days, and by what is booked.",
        },
      },
    );
