import { Elysia } from "elysia";
import { z } from "zod";
import { requires } from "../../../http/before-validation.ts";
import { idOf } from "../../../http/fields.ts";
import type { Http } from "../../../http/http.ts";
import { jsonData } from "../../../http/json-text.ts";
import { data, responses } from "../../../http/responses.ts";
import type { RoutePlugin } from "../../../http/route.ts";
import { GroundingLift } from "../fleet.schemas.ts";
import { aircraft } from "../fleet.shapes.ts";
import { liftByHand } from "./lift-by-hand.ts";

const GroundingRef = z.object({
  orgId: idOf<"organization">(),
  aircraftId: idOf<"aircraft">(),
  groundingId: idOf<"grounding">(),
});

/** `/orgs/{orgId}/aircraft/{aircraftId}/groundings/{groundingId}/lift` */
export const groundingRoutes = ({ session }: Http): RoutePlugin =>
  new Elysia({ name: "grounding", prefix: "/orgs/:orgId/aircraft/:aircraftId", tags: ["Fleet"] })
    .use(session)
    .post(
      "/groundings/:groundingId/lift",
      async ({ context, params, body }) => jsonData(await liftByHand(context, { ...body, ...params })),
      {
        transform: requires("aircraft:manage"),
        params: GroundingRef,
        body: GroundingLift,
        response: responses({ 200: data(aircraft.schema) }, 400, 401, 404, "grounding_not_by_hand", "wrong_status"),
        detail: {
          summary: "Lift a reason of a grounded aircraft",
          description:
            "Only a reason that was given by hand. The aircraft is available again if it has no other. 409: the reason is lifted already, or has a cause that must be put right.",
        },
      },
    );
