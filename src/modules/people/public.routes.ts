import { Elysia } from "elysia";
import type { Http } from "../../http/http.ts";
import { jsonText } from "../../http/json-text.ts";
import { page, responses } from "../../http/responses.ts";
import { listPublicPilots } from "./people.queries.ts";
import { PublicPilotListQuery } from "./people.schemas.ts";
import { publicPilot } from "./people.shapes.ts";

const PublicPilotList = page(publicPilot.schema);

/** `/api/v1/public/pilots` */
export const publicPilotRoutes = ({ apiKey }: Http) =>
  new Elysia({ name: "public pilots", prefix: "/api/v1/public/pilots", tags: ["Public API"] })
    .use(apiKey("public.pilots:read"))
    .get(
      "/",
      async ({ context, query }) => {
        const question = `public pilots ${JSON.stringify(query)}`;
        return jsonText(await context.tenant.readBody(question, (reader) => listPublicPilots(reader, query)));
      },
      {
        query: PublicPilotListQuery,
        response: responses({ 200: PublicPilotList }, 400, 401),
        detail: { summary: "List pilots", description: "Students, pilots and instructors, by name." },
      },
    );
