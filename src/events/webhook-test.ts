import { z } from "zod";
import { idOf } from "../http/fields.ts";
import { defineEvent } from "./catalog.ts";

/** The event of a ping. It tests signing and delivery without another event type. */
export const webhookTest = defineEvent("webhook.test", {
  data: z.strictObject({
    endpoint_id: idOf<"webhook_endpoint">(),
    message: z.string().meta({ examples: ["Windsock can reach this endpoint."] }),
  }),
  example: {
    endpoint_id: idOf<"webhook_endpoint">().parse("01890a5d-ac96-774b-bcce-b302099a8057"),
    message: "Windsock can reach this endpoint.",
  },
});
