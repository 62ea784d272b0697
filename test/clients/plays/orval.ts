import * as api from "./generated/orval";
import { story } from "./story.ts";

const { baseUrl, owner, aircraft, person, flightOf, orgId } = story;
// The generated functions request paths.
const send = globalThis.fetch;
globalThis.fetch = ((path: string, init?: RequestInit) => send(`${baseUrl}${path}`, init)) as typeof fetch;

function ok<Status extends number, Answer extends { status: number }>(status: Status, answer: Answer) {
  if (answer.status !== status) throw new Error(JSON.stringify(answer));
  return answer as Extract<Answer, { status: Status }>;
}

const login = ok(200, await api.login(owner)).data;
if (!("access_token" in login)) throw new Error("The account has no second factor.");
const session = { headers: { Authorization: `Bearer ${login.access_token}` } };

const added = ok(201, await api.addAircraft(orgId, aircraft, session)).data.data;
const student = ok(201, await api.addPerson(orgId, person, session)).data.data;
const flight = ok(201, await api.addFlight(orgId, flightOf(added.id, student.id), session)).data.data;
ok(200, await api.submitFlight(orgId, flight.id, session));
ok(200, await api.approveFlight(orgId, flight.id, {}, session));

const integrator = { headers: { Authorization: `Bearer ${story.apiKey}`, "X-Org-Id": orgId } };
const read = ok(200, await api.listPublicFlights({ status: "approved" }, integrator));
story.expect(read.data.data, flight.id);
