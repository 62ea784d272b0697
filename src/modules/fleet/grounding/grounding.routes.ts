import { Elysia } from "elysia";
import { z } from "zod";
import { requires } from "../../../http/before-validation.ts";
import { idOf, longText } from "../../../http/fields.ts";
import type { Http } from "../../../http/http.ts";
import { jsonData } from "../../../http/json-text.ts";
import { data, responses } from "../../../http/responses.ts";
import type { RoutePlugin } from "../../../http/route.ts";
import { aircraft } from "../fleet.shapes.ts";
import { groundByHand } from "./ground-by-hand.ts";
import { liftByHand } from "./lift-by-hand.ts";

const One = data(aircraft.schema);
const ids = { orgId: idOf<"organization">(), aircraftId: idOf<"aircraft">() };
const Ref = z.object(ids);
const GroundingRef = z.object({ ...ids, groundingId: idOf<"grounding">() });
const Grounding = z
  .strictObject({ reason: longText(1000).meta({ examples: ["Nose wheel shimmy."] }) })
  .meta({ id: "AircraftGrounding" });

/** `/orgs/{orgId}/aircraft/{aircraftId}/ground` and `/groundings/{groundingId}/lift` */
export const groundingRoutes = ({ session }: Http): RoutePlugin =>
  new Elysia({ name: "grounding", prefix: "/orgs/:orgId/aircraft/:aircraftId", tags: ["Fleet"] })
    .use(session)
    .post(
      "/ground",
      async ({ context, params, body }) => jsonData(await groundByHand(context, { ...params, ...body })),
      {
        transform: requires("aircraft:manage"),
        params: Ref,
        body: Grounding,
        response: responses({ 200: One }, 400, 401, 404, "aircraft_archived"),
        detail: {
          summary: "Ground an aircraft",
          description:
            "Adds a reason to `groundings`. The aircraft stays grounded until the reason is lifted. Emits `maintenance.alert` if the aircraft was available.",
        },
      },
    )
    .post("/groundings/:groundingId/lift", async ({ context, params }) => jsonData(await liftByHand(context, params)), {
      transform: requires("aircraft:manage"),
      params: GroundingRef,
      response: responses({ 200: One }, 400, 401, 404, "grounding_not_by_hand", "wrong_status"),
      detail: {
        summary: "Lift a reason of a grounded aircraft",
        description:
          "Only a reason that was given by hand. The aircraft is available again if it has no other. 409: the reason is lifted already, or has a cause that must be put right.",
      },
    });
