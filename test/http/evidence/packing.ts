/** Packs as a user has them: requested over HTTP, downloaded, and read by another implementation of ZIP. */
import { generateKeyPairSync } from "node:crypto";
import { crc32 } from "node:zlib";
import { unzipSync } from "fflate";
import { canonicalJson } from "../../../src/core/canonical-json.ts";
import { sha256 } from "../../../src/core/crypto.ts";
import { signatureOf } from "../../../src/modules/evidence/format/manifest.ts";
import { publicKeyOf, thumbprintOf } from "../../../src/modules/evidence/format/public-key.ts";
import { directoryOf, localHeader } from "../../../src/modules/evidence/format/zip.ts";
import type { Installation, SharedInstallation } from "../../support/installation.ts";
import { expectStatus, type Member, type School } from "../../support/school.ts";

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

const pair = generateKeyPairSync("ed25519");
const x = publicKeyOf(pair.publicKey);

/** The key of an issuer with other software: it signs what it wants. */
export const forger = { x, thumbprint: thumbprintOf(x) };

const someId = (digit: number) => `01890a5d-ac96-774b-bcce-b302099a80${digit}0`;

export const statedByForger = {
  ...{ format: "windsock-evidence-1", id: someId(1), type: "pilot_portable", supersedes: null },
  issuer: { id: someId(2), name: "Other School", keys_url: "https://other.example/keys" },
  subject: { kind: "person", id: someId(3), name: "Sam Student" },
  period: { from: null, to: null },
  ...{ issued_at: "2026-06-01T00:00:00.000Z", key: { id: someId(4), ...forger } },
};

export const trainedElsewhere = someId(5);

/** The parts of a forged pack: one training of the student. */
export const partsOf = (trained: object, holder: object = {}) => ({
  "person.json": canonicalJson({ name: "Sam Student", date_of_birth: null, licence_number: null, ...holder }),
  "training.json": canonicalJson([
    { id: trainedElsewhere, program: { kind: "ppl_a" }, trained, solo_cross_countries: [] },
  ]),
});

/** A pack with any manifest and any parts, whose signature is valid. */
export function forged(
  contents: readonly (readonly [name: string, content: string])[] | Record<string, string>,
  {
    stated = {},
    bytes = (text: string) => Buffer.from(text),
  }: { stated?: object; bytes?: (text: string) => Buffer } = {},
): Buffer {
  const list = Array.isArray(contents) ? contents : Object.entries(contents);
  const files = list.map(([name, content]: readonly [string, string]) => ({ name, data: Buffer.from(content) }));
  const parts = files.map(({ name, data }) => ({
    ...{ name, media_type: "application/json", bytes: data.length, sha256: sha256(data) },
  }));
  const manifest = bytes(canonicalJson({ ...statedByForger, parts, ...stated }));
  const all = [
    { name: "manifest.json", data: manifest },
    { name: "manifest.sig", data: signatureOf(manifest, pair.privateKey) },
    ...files,
  ];
  const entries = all.map(({ name, data }) => ({ name, bytes: data.length, crc32: crc32(data) }));
  const written = all.flatMap(({ data }, index) => [
    localHeader(entries[index] ?? { name: "", bytes: 0, crc32: 0 }),
    data,
  ]);
  return Buffer.concat([...written, directoryOf(entries)]);
}

export const sendPack = (by: Member, enrollmentId: string, query: string, zip: Uint8Array) =>
  by.call("POST", `/orgs/${by.orgId}/training/enrollments/${enrollmentId}/credits/import?${query}`, {
    body: new Blob([new Uint8Array(zip)], { type: "application/zip" }),
  });
