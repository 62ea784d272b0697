/**
 * Events that no module emits yet. The contract reserves their names, and their data is outlined here, so that integrators
 * can prepare. The module that first emits one takes over its definition.
 */
import { z } from "zod";
import { idOf, instantOut } from "../http/fields.ts";
import { defineEvent } from "./catalog.ts";

const ID = "01890a5d-ac96-774b-bcce-b302099a8057";
const AT = "2025-06-14T08:30:00.000Z";

const id = idOf();
const exampleId = id.parse(ID);
const at = instantOut;
const exampleAt = at.parse(AT);

/** A resource whose public form is not final: it has an id, the given fields, and maybe others. */
const loose = <Shape extends z.core.$ZodLooseShape>(fields: Shape) => z.looseObject({ id, ...fields });

const trainingSignoffRecorded = defineEvent("training.signoff.recorded", {
  emitted: false,
  data: z.strictObject({ signoff: loose({ student_id: id, signed_at: at }) }),
  example: { signoff: { id: exampleId, student_id: exampleId, signed_at: exampleAt } },
});

const paymentReceived = defineEvent("payment.received", {
  emitted: false,
  data: z.strictObject({
    payment: loose({ amount_minor: z.int(), currency: z.string().regex(/^[A-Z]{3}$/) }),
    invoice: loose({ status: z.enum(["draft", "sent", "paid", "overdue", "void"]) }).optional(),
    charge: loose({}).optional(),
  }),
  example: {
    payment: { id: exampleId, amount_minor: 18_900, currency: "EUR" },
    invoice: { id: exampleId, status: "paid" },
  },
});

export const vtrIssued = defineEvent("vtr.issued", {
  emitted: false,
  data: z.strictObject({
    vtr: loose({
      type: z.string().meta({ examples: ["pilot_portable"] }),
      status: z.enum(["generating", "ready", "failed"]),
    }),
  }),
  example: { vtr: { id: exampleId, type: "pilot_portable", status: "ready" } },
});

export const reservedEvents = [trainingSignoffRecorded, paymentReceived, vtrIssued];
