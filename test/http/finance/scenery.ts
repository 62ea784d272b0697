import { creditAfterPayment, headset, newInvoice, onAccount, sendInvoice } from "../../support/money.ts";
import { next, type Scenery } from "../../support/scenery.ts";
import { expectStatus } from "../../support/school.ts";
import { newStudent } from "../people/scenery.ts";

export const financeScenery: Scenery = {
  params: {
    invoiceId: async (school, { name }) => {
      // Of a person of its own, who has nothing on account. The student may see one that was sent to them.
      const isRead = name.startsWith("GET");
      const invoice = await newInvoice(school, { person_id: isRead ? undefined : await newStudent(school) });
      if (isRead || /\/(credit|refund|cancel)$/.test(name)) await sendInvoice(school, invoice);
      return name.endsWith("/refund") ? (await creditAfterPayment(school, invoice)).id : invoice.id;
    },
    paymentId: async (school, { name }) => {
      const person_id = name.startsWith("GET") ? school.student.personId : await newStudent(school);
      if (name.endsWith("/allocate")) await sendInvoice(school, await newInvoice(school, { person_id }));
      const payment = { ...onAccount, person_id, method: "cash" };
      return expectStatus(201, await school.owner.post("/finance/payments", payment)).body.data.id;
    },
  },
  bodies: {
    "PATCH /orgs/{orgId}/finance/customers/{personId}": async () => ({ customer_number: String(next()) }),
    // A designator has at most four characters.
    "POST /orgs/{orgId}/finance/rates": async () => ({ icao_type: `T${next().toString(36).toUpperCase()}` }),
    "POST /orgs/{orgId}/finance/charges": async ({ student }) => ({ person_id: student.personId }),
    "POST /orgs/{orgId}/finance/invoices": async (school) => {
      const { owner, student } = school;
      const charge = { ...headset, person_id: student.personId };
      const { id } = expectStatus(201, await owner.post("/finance/charges", charge)).body.data;
      return { person_id: student.personId, until: null, charge_ids: [id], lines: [headset] };
    },
    "PATCH /orgs/{orgId}/finance/invoices/{invoiceId}": async () => ({ lines: [headset] }),
    "POST /orgs/{orgId}/finance/invoices/{invoiceId}/credit": async ({ owner }, { invoiceId }) => ({
      lines: (await owner.get(`/finance/invoices/${invoiceId}`)).body.data.lines.map(({ id }: { id: string }) => ({
        ...{ line_id: id, quantity: null, net_minor: null },
      })),
    }),
    "POST /orgs/{orgId}/finance/invoice-runs": async () => ({ send: false }),
    "POST /orgs/{orgId}/finance/payments": async ({ student }) => ({ ...onAccount, person_id: student.personId }),
    "POST /orgs/{orgId}/finance/payments/{paymentId}/allocate": async (school, { paymentId }) => {
      const { person_id } = (await school.owner.get(`/finance/payments/${paymentId}`)).body.data;
      const [invoice] = (await school.owner.get(`/finance/invoices?person_id=${person_id}`)).body.data;
      return { invoice_id: invoice.id, amount_minor: null };
    },
    "POST /orgs/{orgId}/finance/payments/{paymentId}/refund": async () => ({ refunded_on: null, amount_minor: null }),
    "POST /orgs/{orgId}/finance/invoices/{invoiceId}/refund": async () => ({ refunded_on: null, amount_minor: null }),
    "POST /orgs/{orgId}/finance/packages": async ({ student }) => ({ person_id: student.personId }),
  },
  arrivals: {
    "GET /orgs/{orgId}/finance/invoice-runs/preview": async () => ({ query: "until=2026-06-30" }),
  },
};
