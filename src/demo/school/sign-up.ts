/** The demo school on its first day: accounts, people, aircraft and their documents. */
import { z } from "zod";
import { randomBytes } from "../../core/crypto.ts";
import { type Api, Tokens } from "../api.ts";
import type { DemoClock } from "../clock.ts";
import { makePlan } from "../plan/plan.ts";
import { type Account, type DemoSchool, known } from "./demo-school.ts";
import { fleet } from "./fleet.ts";
import { people } from "./people.ts";
import { emailOf } from "./person.ts";

const name = "Windy Hill Flight School";

/** Flights of two months; the last one is made when the demo is told. */
const flights = 299;

const SignedUp = z.object({
  data: z.object({ user: z.object({ id: z.string() }), organization: z.object({ id: z.string() }), tokens: Tokens }),
});
const Invited = z.object({ data: z.object({ token: z.string() }) });
const Claimed = z.object({ data: z.object({ tokens: Tokens }) });
const Members = z.object({ data: z.array(z.object({ user_id: z.string(), email: z.string() })) });
const People = z.object({ data: z.array(z.object({ id: z.string(), email: z.string() })) });

export async function signUp(api: Api, clock: DemoClock, today: Temporal.PlainDate): Promise<DemoSchool> {
  const password = randomBytes(8)
    .toString("hex")
    .replace(/.{4}(?=.)/g, "$&-");
  const [first] = people;
  if (first === undefined) throw new Error("The school has an owner.");
  const { data } = await api.post("/auth/signup-org", SignedUp, {
    email: emailOf(first.key),
    password,
    name: first.name,
    organization: { name, kind: "ato", home_icao: "EDFE", time_zone: "Europe/Berlin", currency: "EUR" },
  });
  const org = `/orgs/${data.organization.id}`;
  const accounts = new Map<string, Account>();
  const join = (key: string, fullName: string, tokens: z.infer<typeof Tokens>) =>
    accounts.set(key, {
      name: fullName,
      email: emailOf(key),
      ...api.session(tokens, { email: emailOf(key), password }),
    });
  join(first.key, first.name, data.tokens);
  const owner = known(accounts, first.key);
  await Promise.all(
    people.slice(1).map(async ({ key, name: fullName, role }) => {
      if (role === undefined) return;
      const invite = await api.post(`${org}/invites`, Invited, { email: emailOf(key), roles: [role] }, owner);
      const claim = { token: invite.data.token, password, name: fullName };
      join(key, fullName, (await api.post("/auth/org-invites/claim", Claimed, claim)).data.tokens);
    }),
  );
  const ids = await addPeople(api, org, owner);
  const account = (key: string) => known(accounts, key);
  return {
    api,
    clock,
    id: data.organization.id,
    name,
    org,
    password,
    owner,
    account,
    deskOf: (key) => accounts.get(key ?? "") ?? account("juergen"),
    person: (key) => known(ids, key),
    aircraft: await addAircraft(api, org, owner),
    plan: makePlan({ flights, today }),
    dateOf: (day) => today.add({ days: day }),
  };
}

/** Imports the people, and links those who have an account. @returns their ids by their keys */
async function addPeople(api: Api, org: string, owner: Account): Promise<ReadonlyMap<string, string>> {
  const columns = "name,email,types,date_of_birth,licence_number,street,postcode,city,country,phone".split(",");
  const lines = people.map(({ key, types, born, address, licence, ...person }, at) => {
    const [, street, postcode, city] = /^(.+), (\d+) (.+)$/.exec(address) ?? [];
    const phone = `+49 6103 ${70_210 + at * 7}`;
    return [person.name, emailOf(key), types.join("|"), born, licence, street, postcode, city, "DE", phone];
  });
  await api.importCsv(`${org}/people/import`, [columns, ...lines], owner);
  const listed = (await api.get(`${org}/people?limit=100`, People, owner)).data;
  const members = (await api.get(`${org}/members?limit=100`, Members, owner)).data;
  const idOf = new Map(listed.map(({ email, id }) => [email, id]));
  for (const { email, user_id } of members) await api.patch(`${org}/people/${idOf.get(email)}`, { user_id }, owner);
  return new Map(people.map(({ key }) => [key, known(idOf, emailOf(key))]));
}

async function addAircraft(api: Api, org: string, owner: Account): Promise<ReadonlyMap<string, string>> {
  const aircraft = new Map<string, string>();
  for (const { price, hobbs, hoursFlown: _, litresPerHour: __, ...craft } of fleet) {
    const counters = { hobbs: hours(hobbs), airframe_minutes: hobbs * 6, landings: Math.round(hobbs / 4) };
    const body = { ...craft, ...counters, hourly_rate_minor: price * 100 };
    aircraft.set(craft.registration, await api.create(`${org}/aircraft`, body, owner));
  }
  return aircraft;
}

/** Writes a reading. @param tenths of an hour */
export const hours = (tenths: number): string => (tenths / 10).toFixed(2);
