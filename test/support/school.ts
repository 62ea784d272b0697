import { isId } from "../../src/core/ids.ts";
import { once } from "../../src/core/once.ts";
import { clearanceRules } from "../../src/modules/rules/rules.tables.ts";
import {
  type Answer,
  type Call,
  filesMadeBy,
  type Installation,
  newInstallation,
  type SharedInstallation,
  sharedInstallation,
} from "./installation.ts";

export const password = "correct horse battery";

type Roles = ("owner" | "admin" | "instructor" | "mechanic" | "accountant" | "student")[];

interface MemberFields {
  orgId: string;
  email: string;
  token: string;
  refreshToken: string;
  userId: string;
  personId: string;
}

/** A signed-in member of a school. Paths are relative to its `/orgs/{orgId}`. */
export class Member {
  readonly #installation: SharedInstallation;
  readonly orgId: string;
  readonly email: string;
  readonly token: string;
  readonly refreshToken: string;
  readonly userId: string;
  /** This member's person in the school's records. */
  readonly personId: string;

  constructor(installation: SharedInstallation, fields: MemberFields) {
    this.#installation = installation;
    this.orgId = fields.orgId;
    this.email = fields.email;
    this.token = fields.token;
    this.refreshToken = fields.refreshToken;
    this.userId = fields.userId;
    this.personId = fields.personId;
  }

  /** A request with this member's token to any path. */
  call(method: string, path: string, call: Call = {}): Promise<Answer> {
    return this.#installation.call(method, path, { token: this.token, ...call });
  }

  /** Returns the member with a new token, for after the clock has moved: an access token is valid for 15 minutes. */
  async signedInAgain(): Promise<Member> {
    const post = async (path: string, body: object) =>
      expectStatus(200, await this.#installation.call("POST", path, { body })).body;
    const signIn = await post("/auth/login", { email: this.email, password });
    const { access_token: token, refresh_token: refreshToken } = signIn.mfa_required
      ? await post("/auth/refresh", { refresh_token: this.refreshToken })
      : signIn;
    return new Member(this.#installation, { ...this, token, refreshToken });
  }

  get = (path: string) => this.call("GET", `/orgs/${this.orgId}${path}`);
  post = (path: string, body?: unknown) => this.call("POST", `/orgs/${this.orgId}${path}`, { body });
  patch = (path: string, body: unknown) => this.call("PATCH", `/orgs/${this.orgId}${path}`, { body });
  delete = (path: string) => this.call("DELETE", `/orgs/${this.orgId}${path}`);
}

export interface FlightOptions {
  blockMinutes?: number;
  /** Other fields of the body, which take precedence. */
  body?: Record<string, unknown>;
}

export interface School<At extends SharedInstallation = SharedInstallation> {
  installation: At;
  orgId: string;
  owner: Member;
  instructor: Member;
  student: Member;
  aircraftId: string;
  /** Invites a user, claims the invite, and adds a person for them. */
  join(roles: Roles, name?: string): Promise<Member>;
  /** Returns a body for a solo flight of the student: the latest that ended an hour ago and overlaps none of those before. */
  flightBody(options?: FlightOptions): Record<string, unknown>;
  /** Drafts a flight. @returns the flight */
  // biome-ignore lint/suspicious/noExplicitAny: see Answer
  draftFlight(by: Member, options?: FlightOptions): Promise<any>;
  /** Drafts and submits a flight. @returns the flight */
  // biome-ignore lint/suspicious/noExplicitAny: see Answer
  submitFlight(by: Member, options?: FlightOptions): Promise<any>;
  // biome-ignore lint/suspicious/noExplicitAny: see Answer
  aircraft(): Promise<any>;
  /** Returns a new API key's token. */
  apiKey(...scopes: string[]): Promise<string>;
  /** A GET of the public API. */
  publicGet(path: string, key: string): Promise<Answer>;
}

let count = 0;

/**
 * Creates a school for one test: an owner, an instructor and a student with their persons, and D-EABC. By default it is in
 * the installation that all tests of this process share. In a `newInstallation`, the test has its own clock, mails, log and
 * jobs.
 */
export async function newSchool(): Promise<School>;
export async function newSchool<At extends SharedInstallation>(installation: At): Promise<School<At>>;
export async function newSchool(installation?: SharedInstallation): Promise<School> {
  const at = installation ?? (await sharedInstallation());
  return schoolAt(at, await found(at));
}

/** As `newSchool(await newInstallation(options))`, from a copy of one that was made before: that takes a third of the time. */
export async function newOwnSchool(options: OwnOptions = {}): Promise<School<Installation>> {
  const { files, made } = await original();
  const at = await newInstallation({ ...options, files });
  at.mails.push(...made.mails);
  return schoolAt(at, made.founded);
}

/** The copy has the usual clock, mails and addresses. */
type OwnOptions = Omit<NonNullable<Parameters<typeof newInstallation>[0]>, "clock" | "directory" | "files" | "mail">;

const original = once(() =>
  filesMadeBy(async (directory) => {
    const at = await newInstallation({ directory, shared: true });
    const founded = await found(at);
    await at.close();
    return { founded, mails: at.mails };
  }),
);

/** What the requests of `found` have made. */
interface Founded {
  /** In names and addresses. */
  school: number;
  orgId: string;
  aircraftId: string;
  owner: MemberFields;
  instructor: MemberFields;
  student: MemberFields;
}

async function found(at: SharedInstallation): Promise<Founded> {
  count += 1;
  const school = count;
  const email = emailOf(school, "Olga");
  const signedUp = expectStatus(
    201,
    await at.call("POST", "/auth/signup-org", {
      body: {
        email,
        password,
        name: "Olga Owner",
        organization: { name: `School ${school}`, kind: "ato", time_zone: "Europe/Berlin", currency: "EUR" },
      },
      // An address of its own: sign-ups are limited by address.
      from: `198.18.${school >> 8}.${school & 255}`,
    }),
  ).body.data;
  const orgId: string = signedUp.organization.id;
  const owner = await withPerson(at, signedUp.tokens, {
    ...{ orgId, email, userId: signedUp.user.id, token: signedUp.tokens.access_token },
    refreshToken: signedUp.tokens.refresh_token,
    ...{ name: "Olga Owner", types: ["staff"] },
  });

  // Most tests are not about medicals and supervisors: their students' solos need neither to be booked and approved.
  if (!isId<"organization">(orgId)) throw new Error("It is an id.");
  const eased = [
    { key: "solo_medical", action: "warn" },
    { key: "solo_supervision", action: "off" },
  ] as const;
  await at.storage.tenants
    .tenant(orgId)
    .write((tx) => tx.insert(clearanceRules).values(eased.map((rule) => ({ ...rule, updated_at: tx.now }))));

  const join = joining(at, school, new Member(at, owner));
  const instructor = await join(["instructor"], "Ines Instructor");
  const student = await join(["student"], "Sam Student");
  const aircraft = await new Member(at, owner).post("/aircraft", {
    registration: "D-EABC",
    model: "Cessna 172S",
    icao_type: "C172",
    class: "SEP",
    hobbs: "1234.50",
    tacho: "1100.00",
    airframe_minutes: 74070,
  });
  return { school, orgId, aircraftId: expectStatus(201, aircraft).body.data.id, owner, instructor, student };
}

const emailOf = (school: number, name: string) => `${name.toLowerCase()}@school${school}.example`;

/** Adds a person for a user. */
async function withPerson(
  at: SharedInstallation,
  by: { access_token: string },
  { name, types, ...fields }: Omit<MemberFields, "personId"> & { name: string; types: string[] },
): Promise<MemberFields> {
  const body = { name, types, email: fields.email, user_id: fields.userId };
  const call = { token: by.access_token, body };
  const person = expectStatus(201, await at.call("POST", `/orgs/${fields.orgId}/people`, call)).body.data;
  return { ...fields, personId: person.id };
}

/** Returns a function that invites a user, claims the invite, and adds a person for them. */
function joining(at: SharedInstallation, school: number, owner: Member) {
  let joined = 0;
  return async (roles: Roles, name = `Member ${++joined}`): Promise<MemberFields> => {
    const email = emailOf(school, name.replaceAll(" ", "."));
    const invite = expectStatus(201, await owner.post("/invites", { email, roles })).body.data;
    const body = { token: invite.token, password, name };
    // Claims are limited by the client's address.
    const claim = await at.call("POST", "/auth/org-invites/claim", {
      body,
      from: `198.19.${school & 255}.${joined & 255}`,
    });
    const { tokens } = expectStatus(200, claim).body.data;
    const { sub } = JSON.parse(Buffer.from(tokens.access_token.split(".")[1], "base64url").toString());
    const types = roles.flatMap((role) => (role === "student" || role === "instructor" ? [role] : []));
    return withPerson(
      at,
      { access_token: owner.token },
      {
        ...{ orgId: owner.orgId, email, userId: sub, token: tokens.access_token },
        refreshToken: tokens.refresh_token,
        ...{ name, types: types.length > 0 ? types : ["staff"] },
      },
    );
  };
}

function schoolAt<At extends SharedInstallation>(
  at: At,
  { school, orgId, aircraftId, ...members }: Founded,
): School<At> {
  const owner = new Member(at, members.owner);
  const student = new Member(at, members.student);
  const join = joining(at, school, owner);
  const { clock } = at;
  const free = freeTimes();
  const flightBody = ({ blockMinutes = 62, body }: FlightOptions = {}) => {
    const { from, to } = free(clock.now().getTime() - 60 * 60_000, blockMinutes * 60_000);
    return {
      aircraft_id: aircraftId,
      off_block_at: new Date(from).toISOString(),
      on_block_at: new Date(to).toISOString(),
      departure: "EDFE",
      arrival: "EDKB",
      day_landings: 1,
      crew: [{ person_id: student.personId, function: "solo" }],
      ...body,
    };
  };
  const draftFlight = async (by: Member, options?: FlightOptions) =>
    expectStatus(201, await by.post("/flights", flightBody(options))).body.data;

  return {
    installation: at,
    orgId,
    owner,
    instructor: new Member(at, members.instructor),
    student,
    aircraftId,
    join: async (...who) => new Member(at, await join(...who)),
    flightBody,
    draftFlight,
    async submitFlight(by, options) {
      const draft = await draftFlight(by, options);
      return expectStatus(200, await by.post(`/flights/${draft.id}/submit`)).body.data;
    },
    aircraft: async () => (await owner.get(`/aircraft/${aircraftId}`)).body.data,
    async apiKey(...scopes) {
      return expectStatus(201, await owner.post("/integrations/api-keys", { name: "Test", scopes })).body.data.token;
    },
    publicGet: (path, key) => at.call("GET", `/api/v1/public${path}`, { token: key, org: orgId }),
  };
}

/** Returns a function that returns the latest time of a length that ends by an instant and overlaps none that it has returned. */
function freeTimes() {
  const taken: { from: number; to: number }[] = [];
  return (end: number, length: number) => {
    let to = end;
    for (const other of taken) if (other.from < to && other.to > to - length) to = other.from;
    const time = { from: to - length, to };
    taken.push(time);
    taken.sort((one, other) => other.from - one.from);
    return time;
  };
}

/** A body of CSV. */
export const csv = (text: string | Uint8Array<ArrayBuffer>): Blob => new Blob([text], { type: "text/csv" });

/** A body that is a file. @param bytes its size, at least that of its signature */
export const pdf = (bytes = 100): Blob => {
  const content = Buffer.alloc(bytes, "windsock ");
  content.write("%PDF-1.7\n");
  return new Blob([content], { type: "application/pdf" });
};

/** @returns the response, if it has the status @throws an error with the body, if not */
export function expectStatus(status: number, answer: Answer): Answer {
  if (answer.status !== status) throw new Error(`${answer.status} instead of ${status}: ${answer.text}`);
  return answer;
}

export const statuses = (answers: readonly Answer[]): number[] => answers.map(({ status }) => status).sort();

export const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));
