import { createClient } from "./generated/hey-api/client";
import * as api from "./generated/hey-api/sdk.gen";
import { zListPublicFlightsResponse } from "./generated/hey-api/zod.gen";
import { story } from "./story.ts";

const { baseUrl, owner, aircraft, person, flightOf, orgId } = story;
const ask = { throwOnError: true } as const;

const { data: login } = await api.login({ ...ask, client: createClient({ baseUrl }), body: owner });
if (!("access_token" in login)) throw new Error("The account has no second factor.");
const session = { ...ask, client: createClient({ baseUrl, auth: login.access_token }), path: { orgId } };

const added = (await api.addAircraft({ ...session, body: aircraft })).data.data;
const student = (await api.addPerson({ ...session, body: person })).data.data;
const { id: flightId } = (await api.addFlight({ ...session, body: flightOf(added.id, student.id) })).data.data;
const one = { ...session, path: { orgId, flightId } };
await api.submitFlight(one);
await api.approveFlight(one);

const integrator = createClient({ baseUrl, auth: story.apiKey });
const read = await api.listPublicFlights({
  ...ask,
  client: integrator,
  headers: { "X-Org-Id": orgId },
  query: { status: "approved" },
});
// A field of a later version is no fault.
const later = { ...read.data, data: read.data.data.map((flight) => ({ ...flight, added_later: 1 })) };
story.expect(zListPublicFlightsResponse.parse(later).data, flightId);
