import { Elysia } from "elysia";
import { requires } from "../../../http/before-validation.ts";
import { createdBelow } from "../../../http/created.ts";
import type { Http } from "../../../http/http.ts";
import { jsonData } from "../../../http/json-text.ts";
import { listPage } from "../../../http/list-page.ts";
import { data, page, responses } from "../../../http/responses.ts";
import type { RoutePlugin } from "../../../http/route.ts";
import { requireAircraft } from "../../fleet/fleet.queries.ts";
import { defectEntity, listDefects } from "./defects.queries.ts";
import { DefectListQuery, DefectRef, DefectsRef, Deferral, NewDefect } from "./defects.schemas.ts";
import { defect } from "./defects.shapes.ts";
import { deferDefect } from "./defer-defect.ts";
import { reportDefect } from "./report-defect.ts";

const One = data(defect.schema);

/** `/orgs/{orgId}/aircraft/{aircraftId}/defects`. Whoever may report a defect may read them: they fly the aircraft. */
export const defectRoutes = ({ session }: Http): RoutePlugin =>
  new Elysia({ name: "defects", prefix: "/orgs/:orgId/aircraft/:aircraftId/defects", tags: ["Maintenance"] })
    .use(session)
    .get(
      "/",
      async ({ context, params: { aircraftId }, query }) =>
        listPage(query, (query) =>
          context.tenant.read(async (reader) => {
            await requireAircraft(reader, aircraftId);
            return listDefects(reader, { ...query, aircraft_id: aircraftId });
          }),
        ),
      {
        transform: requires("maintenance:read", "defects:report"),
        params: DefectsRef,
        query: DefectListQuery,
        response: responses({ 200: page(defect.schema) }, 400, 401, 404),
        detail: { summary: "List the defects of an aircraft", description: "Newest first." },
      },
    )
    .post(
      "/",
      async ({ context, params, body, request, set }) => {
        const reported = await reportDefect(context, { ...body, aircraftId: params.aircraftId });
        createdBelow(request, set, reported.value);
        return jsonData(reported);
      },
      {
        transform: requires("defects:report"),
        params: DefectsRef,
        body: NewDefect,
        response: responses({ 201: One }, 400, 401, 404, "aircraft_archived"),
        detail: {
          summary: "Report a defect",
          description: "Opens a work order. With `grounding`, the aircraft is grounded at once.",
        },
      },
    )
    .get(
      "/:defectId",
      async ({ context, params }) => jsonData(await context.tenant.read((reader) => defectEntity.find(reader, params))),
      {
        transform: requires("maintenance:read", "defects:report"),
        params: DefectRef,
        response: responses({ 200: One }, 401, 404),
        detail: { summary: "Read a defect", description: "With its deferral and its work order." },
      },
    )
    .post(
      "/:defectId/defer",
      async ({ context, params, body }) => jsonData(await deferDefect(context, { ...params, ...body })),
      {
        transform: requires("maintenance:manage"),
        params: DefectRef,
        body: Deferral,
        response: responses({ 200: One }, 400, 401, 404, "wrong_status"),
        detail: {
          summary: "Defer a defect",
          description:
            "Lets the aircraft fly with the defect until a date, or for some hours. After that, the defect grounds it. 409: the defect is rectified.",
        },
      },
    );
