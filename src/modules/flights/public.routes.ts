import { Elysia } from "elysia";
import type { Http } from "../../http/http.ts";
import { jsonText } from "../../http/json-text.ts";
import { page, responses } from "../../http/responses.ts";
import { listPublicFlights } from "./flights.queries.ts";
import { PublicFlightListQuery } from "./flights.schemas.ts";
import { publicFlight } from "./flights.shapes.ts";

const PublicFlightList = page(publicFlight.schema);

export const publicFlightRoutes = ({ apiKey }: Http) =>
  new Elysia({ name: "public flights", prefix: "/api/v1/public/flights", tags: ["Public API"] })
    .use(apiKey("public.flights:read"))
    .get(
      "/",
      async ({ context, query }) => {
        const question = `public flights ${JSON.stringify(query)}`;
        return jsonText(await context.tenant.readBody(question, (reader) => listPublicFlights(reader, query)));
      },
      {
        query: PublicFlightListQuery,
        response: responses({ 200: PublicFlightList }, 400, 401),
        detail: {
          summary: "List flights",
          description: "Newest first by off-block time. `from` and `to` bound that time.",
        },
      },
    );
