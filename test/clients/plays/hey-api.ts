import { createClient } from "./generated/hey-api/client";
import * as api from "./generated/hey-api/sdk.gen";
import { zGetPublicFlightsResponse } from "./generated/hey-api/zod.gen";
import { story } from "./story.ts";

const { baseUrl, owner, aircraft, person, flightOf, orgId } = story;
const ask = { throwOnError: true } as const;

const { data: login } = await api.postAuthLogin({ ...ask, client: createClient({ baseUrl }), body: owner });
if (!("access_token" in login)) throw new Error("The account has no second factor.");
const session = { ...ask, client: createClient({ baseUrl, auth: login.access_token }), path: { orgId } };

const added = (await api.postAircraft({ ...session, body: aircraft })).data.data;
const student = (await api.postPeople({ ...session, body: person })).data.data;
const { id: flightId } = (await api.postFlights({ ...session, body: flightOf(added.id, student.id) })).data.data;
const one = { ...session, path: { orgId, flightId } };
await api.postFlightsByFlightIdSubmit(one);
await api.postFlightsByFlightIdApprove(one);

const integrator = createClient({ baseUrl, auth: story.apiKey });
const read = await api.getPublicFlights({
  ...ask,
  client: integrator,
  headers: { "X-Org-Id": orgId },
  query: { status: "approved" },
});
// A field of a later version is no fault.
const later = { ...read.data, data: read.data.data.map((flight) => ({ ...flight, added_later: 1 })) };
story.expect(zGetPublicFlightsResponse.parse(later).data, flightId);
