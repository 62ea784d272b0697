/**
 * Events that no module emits yet. The contract reserves their names, and their data is outlined here, so that integrators
 * can prepare. The module that first emits one takes over its definition.
 */
import { z } from "zod";
import { EXAMPLE_ID, idOf } from "../http/fields.ts";
import { defineEvent } from "./catalog.ts";

/** A resource whose public form is not final: it has an id, the given fields, and maybe others. */
const loose = <Shape extends z.core.$ZodLooseShape>(fields: Shape) => z.looseObject({ id: idOf(), ...fields });

const exampleId = idOf().parse(EXAMPLE_ID);

const paymentReceived = defineEvent("payment.received", {
  emitted: false,
  data: z.strictObject({
    payment: loose({ amount_minor: z.int(), currency: z.string().regex(/^[A-Z]{3}$/) }),
    invoice: loose({ status: z.enum(["draft", "sent", "paid", "overdue", "void"]) }).optional(),
    charge: loose({}).optional(),
  }),
  // Without a charge: a payment is of one of the two.
  example: {
    payment: { id: exampleId, amount_minor: 18_900, currency: "EUR" },
    invoice: { id: exampleId, status: "paid" },
  },
});

export const reservedEvents = [paymentReceived];
