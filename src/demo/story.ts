/** The text that the demo prints. */

import type { DemoFlight, DemoSchool } from "./demo-school.ts";
import type { Delivery } from "./receiver.ts";

/** A flight, its effect on the Hobbs meter, and the deliveries of its events. */
export interface DeliveredFlight {
  flight: DemoFlight;
  hobbs: { before: string; after: string };
  submitted: Delivery;
  approved: Delivery;
}

interface Story extends DeliveredFlight {
  /** The server's address to print. */
  address: string;
  /** The receiver's address. */
  receiver: string;
  /** The webhook endpoint of the receiver. */
  endpointId: string;
  dataDir: string;
  school: DemoSchool;
}

export function story({ address, receiver, endpointId, dataDir, school, ...delivered }: Story): string {
  const { flight, hobbs, submitted, approved } = delivered;
  const { owner, instructor, student, aircraft, flights } = school;
  const { registration, from, to, minutes } = flight;
  return `
  ${school.name}: ${aircraft.size} aircraft, 4 people, ${flights} flights, all made through the API at ${address}

  ✓ subscribed  ${receiver} answered a signed ping
  ✓ submitted   by ${student.name}: solo in ${registration}, ${from} to ${to}, ${minutes} minutes
  ✓ approved    by ${instructor.name}: the Hobbs meter moved from ${hobbs.before} to ${hobbs.after}
  ✓ delivered   ${submitted.event.type} in ${submitted.after} ms, ${approved.event.type} in ${approved.after} ms
  ✓ verified    X-SVC-Webhook-Signature: ${approved.signature}

  Look after    D-EIJK has flown 98.7 of 100 hours, D-EFGH is grounded, ${student.name}'s medical ends in 14 days, and
                Łukasz Wiśniewski's SEP rating has expired: …/public/fleet, /maintenance/due and /compliance
  Train         ${student.name} is on the way to the first solo: …/public/training-progress and /training/signoffs
  Charge        flights are charged, on D-ELMN from hours that are on an invoice: /finance/charges and /finance/invoices

  Read          ${address}/docs
  Sign in       ${owner.email} (owner), ${instructor.email}, ${student.email}
                password ${school.password}
  Integrate     KEY=${school.apiKey} ORG=${school.id}
                curl ${address}/api/v1/public/flights -H "Authorization: Bearer $KEY" -H "X-Org-Id: $ORG"
  Replay        curl -X POST ${address}/api/v1/public/events/${approved.event.id}/replay \\
                  -H "Authorization: Bearer $KEY" -H "X-Org-Id: $ORG"

  Later deliveries are printed here. Stop with Ctrl-C; the data is in ${dataDir}
  To serve this data without --demo, first delete the receiver's endpoint, because the receiver ends with the demo:
                DELETE /orgs/${school.id}/integrations/webhook-endpoints/${endpointId}

`;
}

/** Returns the line for a later delivery. */
export const deliveryLine = ({ id, event }: Delivery): string =>
  `  ✓ ${event.type}, ${event.id}: delivery ${id}, verified\n`;
