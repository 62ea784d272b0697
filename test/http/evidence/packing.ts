/** Packs as a user has them: requested over HTTP, downloaded, and read by another implementation of ZIP. */
import { unzipSync } from "fflate";
import type { Installation, SharedInstallation } from "../../support/installation.ts";
import { expectStatus, Member, type School } from "../../support/school.ts";

export interface Pack {
  id: string;
  status: string;
  failure: string | null;
  sha256: string;
  manifest_sha256: string;
  superseded_by: string | null;
  [name: string]: unknown;
}

export const getPack = async (by: Member, id: string): Promise<Pack> =>
  expectStatus(200, await by.get(`/evidence-packs/${id}`)).body.data;

/** Requests a pack. It is built when this resolves. */
export async function issue(by: Member, body: object): Promise<Pack> {
  const { id } = expectStatus(202, await by.post("/evidence-packs", body)).body.data;
  return getPack(by, id);
}

export const ofPilot = (person_id: string) => ({ type: "pilot_portable", person_id });

/** Downloads bytes: `call` reads text. */
export async function download(installation: SharedInstallation, by: Member, path: string): Promise<Response> {
  const headers = { authorization: `Bearer ${by.token}` };
  return installation.app.fetch(new Request(`http://localhost/orgs/${by.orgId}${path}`, { headers }));
}

export async function contentOf({ installation }: School<SharedInstallation>, by: Member, id: string): Promise<Buffer> {
  const answer = await download(installation, by, `/evidence-packs/${id}/content`);
  if (answer.status !== 200) throw new Error(`${answer.status}: ${await answer.text()}`);
  return Buffer.from(await answer.arrayBuffer());
}

/** The member with the tokens of a later time. */
export async function signedInAgain(installation: SharedInstallation, member: Member): Promise<Member> {
  const refresh = { refresh_token: member.refreshToken };
  const { access_token, refresh_token } = expectStatus(
    200,
    await installation.call("POST", "/auth/refresh", { body: refresh }),
  ).body;
  return new Member(installation, { ...member, token: access_token, refreshToken: refresh_token });
}

/** The files in a pack, in their order. */
export const filesIn = (zip: Uint8Array): Record<string, Buffer> =>
  Object.fromEntries(Object.entries(unzipSync(zip)).map(([name, bytes]) => [name, Buffer.from(bytes)]));

// biome-ignore lint/suspicious/noExplicitAny: tests read bodies of every shape
export const jsonIn = (zip: Uint8Array, name: string): any => JSON.parse(String(filesIn(zip)[name]));

/** A flight of the student that the instructor has approved. */
export async function approvedFlight(school: School<Installation | SharedInstallation>, body: object = {}) {
  const flight = await school.submitFlight(school.student, { body: { ...body } });
  return expectStatus(200, await school.instructor.post(`/flights/${flight.id}/approve`)).body.data;
}

export async function* inPieces(bytes: Uint8Array, size = 1000): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
