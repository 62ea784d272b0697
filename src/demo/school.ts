/** The demo school: members, aircraft and past flights. */

import { z } from "zod";
import { randomBytes } from "../core/crypto.ts";
import { apiAt, Claimed, Counters, Invited, Members, NewKey, SignedUp } from "./api.ts";
import type { Account, DemoFlight, DemoSchool } from "./demo-school.ts";
import { addMoney } from "./money.ts";
import { addPlanning } from "./planning.ts";
import { addSafety } from "./safety.ts";
import { addTraining } from "./training.ts";

const name = "Windy Hill Flight School";

/** Rates in EUR per hour: 225 is 22,500 minor units. */
const fleet = [
  ["D-EABC", "Cessna 172S", "C172", "SEP", 1157, 4, 225, "1234.50"],
  ["D-EFGH", "Piper PA-28-161", "P28A", "SEP", 1055, 4, 205, "4310.20"],
  ["D-EIJK", "Diamond DA40 NG", "DA40", "SEP", 1280, 4, 245, "812.00"],
  ["D-ELMN", "Cessna 152", "C152", "SEP", 757, 2, 165, "8921.70"],
  ["D-GOPQ", "Diamond DA42", "DA42", "MEP", 1900, 4, 480, "1507.30"],
] as const;

export async function createSchool(url: string): Promise<DemoSchool> {
  const api = apiAt(url);
  const password = randomBytes(8)
    .toString("hex")
    .replace(/.{4}(?=.)/g, "$&-");
  const { data } = await api.post("/auth/signup-org", SignedUp, {
    email: "olga@windyhill.example",
    password,
    name: "Olga Lindner",
    organization: { name, kind: "ato", home_icao: "EDFE", time_zone: "Europe/Berlin", currency: "EUR" },
  });
  const org = `/orgs/${data.organization.id}`;
  const ownerToken = data.tokens.access_token;

  const person = (fields: { name: string; email: string; types: string[]; userId: string; ratings?: string[] }) => {
    const { userId: user_id, ...rest } = fields;
    return api.create(`${org}/people`, { ...rest, user_id }, ownerToken);
  };

  async function join(fullName: string, role: "instructor" | "student", ratings: string[]): Promise<Account> {
    const email = `${fullName.split(" ", 1)[0]?.toLowerCase()}@windyhill.example`;
    const invite = await api.post(`${org}/invites`, Invited, { email, roles: [role] }, ownerToken);
    const claim = { token: invite.data.token, password, name: fullName };
    const { access_token: token } = (await api.post("/auth/org-invites/claim", Claimed, claim)).data.tokens;
    const members = await api.get(`${org}/members`, Members, ownerToken);
    const userId = members.data.find((member) => member.email === email)?.user_id;
    if (userId === undefined) throw new Error(`${fullName} did not become a member.`);
    return {
      name: fullName,
      email,
      token,
      personId: await person({ name: fullName, email, types: [role], userId, ratings }),
    };
  }

  const owner: Account = {
    name: "Olga Lindner",
    email: "olga@windyhill.example",
    token: ownerToken,
    personId: await person({
      name: "Olga Lindner",
      email: "olga@windyhill.example",
      types: ["staff"],
      userId: data.user.id,
    }),
  };
  const instructor = await join("Ines Berg", "instructor", ["SEP", "MEP", "FI"]);
  const student = await join("Sam Weber", "student", []);

  const aircraft = new Map<string, string>();
  for (const [registration, model, icao_type, type, mtom_kg, seats, rate, hobbs] of fleet) {
    const airframe_minutes = Math.round(Number(hobbs) * 60);
    const craft = { registration, model, icao_type, class: type, mtom_kg, seats, hobbs, airframe_minutes };
    aircraft.set(
      registration,
      await api.create(`${org}/aircraft`, { ...craft, hourly_rate_minor: rate * 100 }, ownerToken),
    );
  }

  const key = {
    name: "Demo",
    scopes: [
      ...["flights", "pilots", "fleet", "maintenance", "compliance", "training", "signoffs", "planning", "events"].map(
        (resource) => `public.${resource}:read`,
      ),
      "events:replay",
    ],
  };
  const { token: apiKey } = (await api.post(`${org}/integrations/api-keys`, NewKey, key, ownerToken)).data;

  const school: DemoSchool = {
    api,
    id: data.organization.id,
    name,
    owner,
    instructor,
    student,
    password,
    apiKey,
    aircraft,
    flights: 0,
    draft: (by, flight) => {
      school.flights += 1;
      return api.create(`${org}/flights`, bodyOf(flight, aircraft), by.token);
    },
    async submit(by, flightId) {
      await api.post(`${org}/flights/${flightId}/submit`, z.unknown(), undefined, by.token);
    },
    async approve(by, flightId) {
      await api.post(`${org}/flights/${flightId}/approve`, z.unknown(), undefined, by.token);
    },
    hobbs: async (registration) =>
      (await api.get(`${org}/aircraft/${aircraft.get(registration)}`, Counters, ownerToken)).data.hobbs,
  };
  await addMoney(school);
  await addPastFlights(school);
  await addSafety(school);
  await addTraining(school);
  await addPlanning(school);
  await publishSchool(school);
  return school;
}

/** Puts the school into the public directory. */
async function publishSchool({ api, id, owner }: DemoSchool): Promise<void> {
  const place = { place: "EDFE", country: "DE", latitude: "49.960833", longitude: "8.645833" };
  const texts = { headline: "Learn to fly south of Frankfurt", languages: ["de", "en"], ...place };
  const fields = ["headline", "languages", "place", "country", "coordinates", "kind"];
  await api.patch(`/orgs/${id}/directory/school`, { published: true, fields, ...texts }, owner.token);
}

/** Adds flights of the last days: three approved, one submitted, one draft. */
async function addPastFlights(school: DemoSchool): Promise<void> {
  const { owner, instructor, student } = school;
  const dual = [
    { account: student, function: "dual" },
    { account: instructor, function: "instructor" },
  ] as const;
  const past: DemoFlight[] = [
    {
      registration: "D-ELMN",
      hoursAgo: 74,
      minutes: 54,
      from: "EDFE",
      to: "EDFE",
      landings: 8,
      crew: dual,
      lesson: "13 circuit, approach and landing",
      hobbs: ["8921.70", "8922.60"],
    },
    {
      registration: "D-EFGH",
      hoursAgo: 50,
      minutes: 96,
      from: "EDFE",
      to: "EDKB",
      crew: dual,
      lesson: "18a navigation",
      hobbs: ["4310.20", "4311.80"],
    },
    {
      registration: "D-GOPQ",
      hoursAgo: 27,
      minutes: 140,
      from: "EDFE",
      to: "LOAV",
      crew: [{ account: instructor, function: "pic" }],
      hobbs: ["1507.30", "1509.60"],
    },
  ];
  for (const flight of past) {
    const id = await school.draft(instructor, flight);
    await school.submit(instructor, id);
    await school.approve(owner, id);
  }
  const solo: DemoFlight = {
    registration: "D-ELMN",
    hoursAgo: 4,
    minutes: 42,
    from: "EDFE",
    to: "EDFE",
    landings: 5,
    crew: [{ account: student, function: "solo" }],
    lesson: "14 first solo",
    hobbs: ["8922.60", "8923.30"],
  };
  await school.submit(student, await school.draft(student, solo));
  await school.draft(student, {
    ...solo,
    registration: "D-EIJK",
    hoursAgo: 2,
    minutes: 71,
    to: "EDMA",
    landings: 1,
    lesson: "18a navigation",
    hobbs: ["812.00", "813.20"],
  });
}

const minute = 60_000;

function bodyOf(flight: DemoFlight, aircraft: ReadonlyMap<string, string>) {
  const { registration, hoursAgo, minutes, from, to, lesson, landings = 1, hobbs, crew } = flight;
  // Times of flights are whole minutes.
  const onBlock = Math.floor(Date.now() / minute) * minute - hoursAgo * 60 * minute;
  const at = (offset: number) => new Date(onBlock + offset * minute).toISOString();
  return {
    aircraft_id: aircraft.get(registration),
    off_block_at: at(-minutes),
    take_off_at: at(-minutes + 7),
    landing_at: at(-5),
    on_block_at: at(0),
    departure: from,
    arrival: to,
    day_landings: landings,
    ...(lesson !== undefined && { lesson }),
    ...(hobbs && { hobbs_start: hobbs[0], hobbs_end: hobbs[1] }),
    crew: crew.map(({ account, function: role }) => ({ person_id: account.personId, function: role })),
  };
}
