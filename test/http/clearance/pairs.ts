/** The matrix of people and aircraft beside the clearance of each pair. */
import { expect } from "bun:test";
import { Matrix } from "../../../src/modules/clearance/matrix/matrix.schemas.ts";
import { expectStatus, type School } from "../../support/school.ts";

export type Reason = { rule: string; action: string; message: string; classes?: string[] };
export const told = ({ rule, action, message }: Reason) => `${rule} ${action} ${message}`;

// biome-ignore lint/suspicious/noExplicitAny: bodies of tests
type Body = any;

interface Pairs {
  aircraft: Body[];
  people: Body[];
  decisions: string[];
  /** All about the people. */
  text: string;
}

/** Asks for the matrix, and expects of each cell what the clearance of the pair says. @returns its answer, and the decisions of all pairs */
export async function matrixOfPairs({ owner }: School, query: URLSearchParams): Promise<Pairs> {
  const answer = expectStatus(200, await owner.get(`/clearance/matrix?${query}`)).body.data;
  // The route answers with text, which nothing else checks.
  Matrix.parse(answer);
  const { aircraft, people }: { aircraft: Body[]; people: Body[] } = answer;
  const decisions: string[] = [];
  for (const person of people)
    for (const [column, plane] of aircraft.entries()) {
      const pair = `person_id=${person.id}&aircraft_id=${plane.id}`;
      const { decision, reasons } = expectStatus(200, await owner.get(`/clearance?${query}&${pair}`)).body.data;
      const ofPerson = person.reasons.filter(({ classes }: Body) => classes.includes(plane.class));
      expect([...plane.reasons, ...ofPerson].map(told).sort()).toEqual(reasons.map(told).sort());
      expect(person.decisions[column]).toBe(decision);
      decisions.push(decision);
    }
  return { aircraft, people, decisions, text: JSON.stringify(people) };
}

/** A flight of four minutes, approved whatever is against it. @param off the time off blocks, in milliseconds */
export async function flyAsPic(school: School, personId: string, off: number): Promise<void> {
  const { owner, aircraftId } = school;
  const times = { off_block_at: new Date(off).toISOString(), on_block_at: new Date(off + 240_000).toISOString() };
  const body = school.flightBody({
    body: { ...times, aircraft_id: aircraftId, crew: [{ person_id: personId, function: "pic" }] },
  });
  const flight = expectStatus(201, await owner.post("/flights", body)).body.data;
  expectStatus(200, await owner.post(`/flights/${flight.id}/submit`));
  const { findings } = (await owner.get(`/flights/${flight.id}`)).body.data;
  const blocking: string[] = findings.flatMap(({ action, rule }: Reason) => (action === "block" ? [rule] : []));
  expectStatus(200, await owner.post(`/flights/${flight.id}/approve`, { acknowledge: [...new Set(blocking)] }));
}
