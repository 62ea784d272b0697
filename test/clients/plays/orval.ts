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

const login = ok(200, await api.postAuthLogin(owner)).data;
if (!("access_token" in login)) throw new Error("The account has no second factor.");
const session = { headers: { Authorization: `Bearer ${login.access_token}` } };

const added = ok(201, await api.postAircraft(orgId, aircraft, session)).data.data;
const student = ok(201, await api.postPeople(orgId, person, session)).data.data;
const flight = ok(201, await api.postFlights(orgId, flightOf(added.id, student.id), session)).data.data;
ok(200, await api.postFlightsByFlightIdSubmit(orgId, flight.id, session));
ok(200, await api.postFlightsByFlightIdApprove(orgId, flight.id, {}, session));

const integrator = { headers: { Authorization: `Bearer ${story.apiKey}`, "X-Org-Id": orgId } };
const read = ok(200, await api.getPublicFlights({ status: "approved" }, integrator));
story.expect(read.data.data, flight.id);
