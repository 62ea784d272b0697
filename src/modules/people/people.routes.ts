import { Elysia } from "elysia";
import type { Http } from "../../http/http.ts";
import { jsonData, jsonText } from "../../http/json-text.ts";
import { data, page, responses } from "../../http/responses.ts";
import { createPerson } from "./create-person.ts";
import { findPerson, listPeople } from "./people.queries.ts";
import { NewPerson, PersonChange, PersonListQuery, PersonRef } from "./people.schemas.ts";
import { person } from "./people.shapes.ts";
import { updatePerson } from "./update-person.ts";

const One = data(person.schema);
const Many = page(person.schema);

/** `/orgs/{orgId}/people` */
export const peopleRoutes = ({ session }: Http) =>
  new Elysia({ name: "people", prefix: "/orgs/:orgId/people", tags: ["People"] })
    .use(session)
    .post(
      "/",
      async ({ context, body, set }) => {
        set.status = 201;
        return jsonData(await createPerson(context, body));
      },
      {
        body: NewPerson,
        response: responses({ 201: One }, 400, 401, 404, "account_linked"),
        detail: {
          summary: "Add a person",
          description:
            "With or without an account. A restricted instructor needs a supervisor. 409 when another person is linked to the account.",
        },
      },
    )
    .get(
      "/",
      async ({ context, query }) => {
        return jsonText(await context.tenant.read((reader) => listPeople(reader, context.actor, query)));
      },
      {
        query: PersonListQuery,
        response: responses({ 200: Many }, 400, 401, 404),
        detail: { summary: "List people", description: "By name. Who may only see themselves sees only themselves." },
      },
    )
    .get(
      "/:personId",
      async ({ context, params }) =>
        jsonData(await context.tenant.read((reader) => findPerson(reader, params.personId, context.actor))),
      {
        params: PersonRef,
        response: responses({ 200: One }, 401, 404),
        detail: { summary: "Get a person", description: "404 also for a person that the caller may not see." },
      },
    )
    .patch(
      "/:personId",
      async ({ context, params, body }) =>
        jsonData(await updatePerson(context, { personId: params.personId, change: body })),
      {
        params: PersonRef,
        body: PersonChange,
        response: responses({ 200: One }, 400, 401, 404, "account_linked"),
        detail: {
          summary: "Change a person",
          description:
            "Changes what is given; null empties. Lifting an instructor's restriction ends their supervision.",
        },
      },
    );
