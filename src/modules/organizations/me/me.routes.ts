import { Elysia } from "elysia";
import { toInstant } from "../../../core/clock.ts";
import type { Http } from "../../../http/http.ts";
import { data, responses } from "../../../http/responses.ts";
import { readMe } from "./me.queries.ts";
import { Me } from "./me.schemas.ts";

/** `/auth/me` */
export const meRoutes = ({ signedIn }: Http) =>
  new Elysia({ name: "organizations.me", tags: ["Authentication"] }).use(signedIn).get(
    "/auth/me",
    async ({ context: { actor, control, clock } }) => ({
      data: await control.read((reader) => readMe(reader, actor, { now: toInstant(clock.now()) })),
    }),
    {
      response: responses({ 200: data(Me) }, 401),
      detail: {
        summary: "Get yourself",
        description: "Returns the account, its session, and its organizations with the roles and permissions in each.",
      },
    },
  );
