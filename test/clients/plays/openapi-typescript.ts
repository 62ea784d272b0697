import createClient from "openapi-fetch";
import type { paths } from "./generated/openapi-typescript";
import { story } from "./story.ts";

const { baseUrl, owner, aircraft, person, flightOf } = story;
const ok = <Data>({ data, error }: { data?: Data; error?: unknown }): Data => {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
};

const open = createClient<paths>({ baseUrl });
const login = ok(await open.POST("/auth/login", { body: owner }));
if (!("access_token" in login)) throw new Error("The account has no second factor.");
const session = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${login.access_token}` } });
const path = { orgId: story.orgId };

const added = ok(await session.POST("/orgs/{orgId}/aircraft", { params: { path }, body: aircraft })).data;
const student = ok(await session.POST("/orgs/{orgId}/people", { params: { path }, body: person })).data;
const body = flightOf(added.id, student.id);
const { id: flightId } = ok(await session.POST("/orgs/{orgId}/flights", { params: { path }, body })).data;
const one = { params: { path: { ...path, flightId } } };
ok(await session.POST("/orgs/{orgId}/flights/{flightId}/submit", one));
ok(await session.POST("/orgs/{orgId}/flights/{flightId}/approve", one));

const integrator = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${story.apiKey}` } });
const read = ok(
  await integrator.GET("/api/v1/public/flights", {
    params: { header: { "X-Org-Id": story.orgId }, query: { status: "approved" } },
  }),
);
story.expect(read.data, flightId);
