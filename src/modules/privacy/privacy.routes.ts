import { makeZip } from "client-zip";
import { Elysia } from "elysia";
import { z } from "zod";
import { yieldingBetween } from "../../core/async.ts";
import { requires } from "../../http/before-validation.ts";
import { idOf } from "../../http/fields.ts";
import type { Http } from "../../http/http.ts";
import { jsonData } from "../../http/json-text.ts";
import { data, responses, textResponse } from "../../http/responses.ts";
import type { RoutePlugin } from "../../http/route.ts";
import type { PersonalData, PersonalFile } from "../../storage/personal-data.ts";
import { person } from "../people/people.shapes.ts";
import { erasePerson } from "./erase-person.ts";
import { exportPerson } from "./export-person.ts";

const Ref = z.object({ orgId: idOf<"organization">(), personId: idOf<"person">() });

/** `/orgs/{orgId}/people/{personId}/export` and `/erase` */
export function privacyRoutes({ session }: Http, personal: readonly PersonalData[]): RoutePlugin {
  const [exports, erases] = [exportPerson(personal), erasePerson(personal)];
  return new Elysia({ name: "privacy", prefix: "/orgs/:orgId/people/:personId", tags: ["People"] })
    .use(session)
    .get(
      "/export",
      async ({ context, params, set }) => {
        const files = await exports(context, params);
        set.headers["content-disposition"] = `attachment; filename="person-${params.personId}.zip"`;
        return new Response(makeZip(inputs(files)), { headers: { "content-type": "application/zip" } });
      },
      {
        transform: requires("people:manage", "people:read_own"),
        params: Ref,
        response: responses({ 200: textResponse("application/zip") }, 401, 404, "step_up_required"),
        detail: {
          summary: "Export all data about a person",
          description:
            "A ZIP file with `person.json` and the files of the person's records (GDPR, articles 15 and 20). For members who manage people, and for the person.",
        },
      },
    )
    .post("/erase", async ({ context, params }) => jsonData(await erases(context, params)), {
      transform: requires("people:manage"),
      params: Ref,
      response: responses(
        { 200: data(person.schema) },
        400,
        401,
        404,
        "flights_pending",
        "sessions_planned",
        "person_erased",
        "person_has_account",
        "records_kept",
        "step_up_required",
        "supervises_instructors",
      ),
      detail: {
        summary: "Erase a person's data",
        description:
          "Deletes names, contacts, records and what the audit log has about the person (GDPR, article 17). This can't be undone. Flights keep their figures. 409 while the law obliges the school to keep records: the message says until when. Copies of the school's file are not changed.",
      },
    });
}

async function* inputs(files: AsyncIterable<PersonalFile>) {
  for await (const { name, content } of files) yield { name, input: yieldingBetween(content) };
}
