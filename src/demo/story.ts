/** What the demo prints. It is the first that anybody sees of Windsock. */
import type { Delivery } from "./receiver.ts";
import type { DemoSchool, Flown } from "./school.ts";

/** One flight: what became of it, and how its events arrived. */
export interface Played {
  flight: Flown;
  hobbs: { before: string; after: string };
  submitted: Delivery;
  approved: Delivery;
}

interface Told extends Played {
  /** The server's, for people. */
  address: string;
  /** The receiver's address. */
  receiver: string;
  /** The receiver's, as a webhook endpoint. */
  endpointId: string;
  dataDir: string;
  school: DemoSchool;
}

export function story({ address, receiver, endpointId, dataDir, school, ...played }: Told): string {
  const { flight, hobbs, submitted, approved } = played;
  const { owner, instructor, student, aircraft, flights } = school;
  const { registration, from, to, minutes } = flight;
  return `
  ${school.name}: ${aircraft.size} aircraft, 3 people, ${flights} flights, all made through the API at ${address}

  ✓ subscribed  ${receiver} answered a signed ping
  ✓ submitted   by ${student.name}: solo in ${registration}, ${from} to ${to}, ${minutes} minutes
  ✓ approved    by ${instructor.name}: the Hobbs meter moved from ${hobbs.before} to ${hobbs.after}
  ✓ delivered   ${submitted.event.type} in ${submitted.after} ms, ${approved.event.type} in ${approved.after} ms
  ✓ verified    X-SVC-Webhook-Signature: ${approved.signature}

  Read          ${address}/docs
  Sign in       ${owner.email} (owner), ${instructor.email}, ${student.email}
                password ${school.password}
  Integrate     KEY=${school.apiKey} ORG=${school.id}
                curl ${address}/api/v1/public/flights -H "Authorization: Bearer $KEY" -H "X-Org-Id: $ORG"
  Replay        curl -X POST ${address}/api/v1/public/events/${approved.event.id}/replay \\
                  -H "Authorization: Bearer $KEY" -H "X-Org-Id: $ORG"

  Whatever is delivered from now on shows up here. Stop with Ctrl-C; the data is in ${dataDir}
  To go on with that data without --demo, remove the receiver, which ends with the demo, by
                DELETE /orgs/${school.id}/integrations/webhook-endpoints/${endpointId}

`;
}

/** A line for each delivery that comes later. */
export const arrival = ({ id, event }: Delivery): string =>
  `  ✓ ${event.type}, ${event.id}: delivery ${id}, verified\n`;
