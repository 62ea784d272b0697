import { Elysia } from "elysia";
import { z } from "zod";
import { requires } from "../../../http/before-validation.ts";
import { idOf } from "../../../http/fields.ts";
import type { Http } from "../../../http/http.ts";
import { jsonData } from "../../../http/json-text.ts";
import { idsIn } from "../../../http/resource-routes.ts";
import { data, responses } from "../../../http/responses.ts";
import type { RoutePlugin } from "../../../http/route.ts";
import type { EntryRef, EntryType } from "../entry-types.ts";
import { changeProfile } from "./change-profile.ts";
import { setConsent } from "./consent.ts";
import { findProfile } from "./profiles.queries.ts";
import { changeOfType } from "./profiles.schemas.ts";
import { profile } from "./profiles.shapes.ts";
import { removeProfile } from "./remove-profile.ts";

const One = data(profile.schema);
const ConsentRef = z.object({ orgId: idOf<"organization">(), personId: idOf<"person">() });

/** What the path of a type names, and whether its subject may read its profile. */
interface Subject {
  type: EntryType;
  path: "/school" | "/instructors/:personId" | "/aircraft/:aircraftId";
  subject: (ids: Readonly<Record<string, string>>) => string | undefined;
  name: string;
  readers: string;
  isOwn?: true;
}

const subjects: readonly Subject[] = [
  {
    type: "schools",
    path: "/school",
    subject: ({ orgId }) => orgId,
    name: "the school",
    readers: "404: it has none yet.",
  },
  {
    type: "instructors",
    path: "/instructors/:personId",
    subject: ({ personId }) => personId,
    name: "an instructor",
    readers: "For members who manage the directory, and for the instructor. 404: there is none yet.",
    isOwn: true,
  },
  {
    type: "aircraft",
    path: "/aircraft/:aircraftId",
    subject: ({ aircraftId }) => aircraftId,
    name: "an aircraft",
    readers: "404: it has none yet.",
  },
];

/** `/orgs/{orgId}/directory/…`: what the organization publishes. */
export const profileRoutes = (http: Http): RoutePlugin[] => [
  ...subjects.map((one) => routesOf(http, one)),
  consentRoutes(http),
];

function routesOf({ session }: Http, { type, path, subject, name, readers, isOwn }: Subject): RoutePlugin {
  const params = idsIn(path);
  const refOf = (ids: unknown): EntryRef => ({ type, id: subject(ids as Record<string, string>) ?? "" });
  return new Elysia({ name: `directory ${type}`, prefix: "/orgs/:orgId/directory", tags: ["Directory"] })
    .use(session)
    .get(
      path,
      async ({ context, params }) =>
        jsonData(await context.tenant.read((reader) => findProfile(reader, refOf(params), context.actor))),
      {
        ...(!isOwn && { transform: requires("directory:manage") }),
        params,
        response: responses({ 200: One }, 401, 404),
        detail: { summary: `Get the directory profile of ${name}`, description: readers },
      },
    )
    .patch(
      path,
      async ({ context, params, body }) => jsonData(await changeProfile(context, { ref: refOf(params), change: body })),
      {
        transform: requires("directory:manage"),
        params,
        body: changeOfType(type),
        response: responses({ 200: One }, 400, 401, 404),
        detail: {
          summary: `Change the directory profile of ${name}`,
          description:
            "Changes the given fields; null clears a field. The first change makes the profile. While it is `published`, everybody can read the name and the fields in `fields`.",
        },
      },
    )
    .delete(path, async ({ context, params }) => jsonData(await removeProfile(context, refOf(params))), {
      transform: requires("directory:manage"),
      params,
      response: responses({ 200: One }, 401, 404),
      detail: {
        summary: `Delete the directory profile of ${name}`,
        description: "It is no longer in the directory. Returns it as it was.",
      },
    });
}

/** For the instructor alone. */
const consentRoutes = ({ session }: Http): RoutePlugin =>
  new Elysia({
    name: "directory consent",
    prefix: "/orgs/:orgId/directory/instructors/:personId/consent",
    tags: ["Directory"],
  })
    .use(session)
    .post("", async ({ context, params }) => jsonData(await setConsent(true)(context, params)), {
      params: ConsentRef,
      response: responses({ 200: One }, 400, 401, 404, "link_unconfirmed"),
      detail: {
        operationId: "consentToDirectory",
        summary: "Consent to one's own directory entry",
        description:
          "For the instructor, who needs an account for it. Without it, the entry of an instructor who has or had an account is not in the directory. A further field, or another text in a field, needs the consent anew.",
      },
    })
    .delete("", async ({ context, params }) => jsonData(await setConsent(false)(context, params)), {
      params: ConsentRef,
      response: responses({ 200: One }, 401, 404),
      detail: {
        operationId: "withdrawConsentToDirectory",
        summary: "Withdraw the consent to one's own directory entry",
        description: "For the instructor, at any time. The entry is no longer in the directory.",
      },
    });
