/** The text that the demo prints. */
import type { Delivery } from "./receiver.ts";
import type { DemoSchool } from "./school/demo-school.ts";
import { grounded, nearlyDue } from "./school/fleet.ts";
import { people } from "./school/people.ts";
import type { DeliveredFlight } from "./webhook-flight.ts";

interface Story extends DeliveredFlight {
  /** The server's address to print. */
  address: string;
  /** The receiver's address. */
  receiver: string;
  /** The webhook endpoint of the receiver. */
  endpointId: string;
  dataDir: string;
  apiKey: string;
  school: DemoSchool;
}

/** Returns what is printed while the months are played. */
export const playing = (address: string): string =>
  `\n  Plays two months of a flight school through the API at ${address}: this takes a while.\n`;

export function story({ address, receiver, endpointId, dataDir, apiKey, school, ...flown }: Story): string {
  const { hobbs, submitted, approved, student, instructor } = flown;
  const { registration, from, to, minutes } = flown;
  const { owner, aircraft, plan } = school;
  const flights = plan.flatMap((booking) => booking.flights).length + 1;
  const others = ["ines", "sam", "max", "birgit"].map((key) => school.account(key).email);
  return `
  Console       ${address}/
  Sign in       ${owner.email} (owner), ${others.slice(0, 2).join(", ")},
                ${others.slice(2).join(", ")}
                password ${school.password}

  ${school.name}: ${people.length} people, ${aircraft.size} aircraft, ${flights} flights and ${plan.length} bookings of aircraft

  ✓ subscribed  ${receiver} answered a signed ping
  ✓ submitted   by ${student}: solo in ${registration}, ${from} to ${to}, ${minutes} minutes
  ✓ approved    by ${instructor}: the Hobbs meter moved from ${hobbs.before} to ${hobbs.after}
  ✓ delivered   ${submitted.event.type} in ${submitted.after} ms, ${approved.event.type} in ${approved.after} ms
  ✓ verified    X-SVC-Webhook-Signature: ${approved.signature}

  Look after    ${nearlyDue.registration} has flown 98.7 of 100 hours, ${grounded.registration} is grounded, ${student}'s medical ends in 14 days, and
                Łukasz Wiśniewski's SEP rating has expired; flights wait for approval, and invoices are overdue
  Read          ${address}/docs
  Integrate     KEY=${apiKey} ORG=${school.id}
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
