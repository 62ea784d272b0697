import type { Http } from "../../../http/http.ts";
import { resourceRoutes } from "../../../http/resource-routes.ts";
import { requireAircraft } from "../../fleet/fleet.queries.ts";
import { defectEntity, listDefects } from "./defects.queries.ts";
import { DefectListQuery, Deferral, NewDefect } from "./defects.schemas.ts";
import { deferDefect } from "./defer-defect.ts";
import { groundForDefect } from "./ground-for-defect.ts";
import { reportDefect } from "./report-defect.ts";

/** `/orgs/{orgId}/aircraft/{aircraftId}/defects`. Whoever may report a defect may read them: they fly the aircraft. */
export const defectRoutes = (http: Http) =>
  resourceRoutes(http, {
    tag: "Maintenance",
    names: ["a defect", "the defects of an aircraft"],
    path: "aircraft/:aircraftId/defects",
    item: "/:defectId",
    entity: defectEntity,
    reads: ["maintenance:read", "defects:report"],
    writes: "maintenance:manage",
    list: {
      description: "Newest first.",
      query: DefectListQuery,
      async read(reader, query, { aircraftId }) {
        await requireAircraft(reader, aircraftId);
        return listDefects(reader, { ...query, aircraft_id: aircraftId });
      },
    },
    add: {
      summary: "Report a defect",
      description: "Opens a work order. With `grounding`, the aircraft is grounded at once.",
      permission: "defects:report",
      body: NewDefect,
      verb: reportDefect,
      refuses: ["aircraft_archived"],
    },
    get: { description: "With its deferral and its work order." },
    actions: {
      defer: {
        summary: "Defer a defect",
        description:
          "Lets the aircraft fly with the defect until a date, or for some hours. After that, the defect grounds it. 409: the defect is rectified.",
        body: Deferral,
        verb: deferDefect,
        refuses: ["wrong_status"],
      },
      ground: {
        summary: "Ground an aircraft for a defect",
        description:
          "For a defect that did not ground it, or that is deferred, which ends. The release or a deferral lifts it. 409: the defect is rectified.",
        verb: groundForDefect,
        refuses: ["wrong_status"],
      },
    },
  });
