import { next, type Scenery, type StagedSchool } from "../../support/scenery.ts";
import { expectStatus } from "../../support/school.ts";

export const integrationsScenery: Scenery = {
  params: {
    apiKeyId: async (school) => {
      const key = { name: `Key ${next()}`, scopes: ["public.flights:read"] };
      return expectStatus(201, await school.owner.post("/integrations/api-keys", key)).body.data.id;
    },
    endpointId: async (school) => (await webhookEndpoint(school)).id,
    eventId: async (school) => (await pinged(school)).event_id,
    deliveryId: async (school) => (await pinged(school)).delivery_ids[0] ?? "",
    replayId: async (school) => {
      await cancelReplay(school);
      return expectStatus(202, await school.owner.post("/integrations/replays", await lastMinute(school))).body.data.id;
    },
  },
  bodies: {
    "POST /orgs/{orgId}/integrations/events/{eventId}/replay": async (school) => ({
      endpoint_id: (await webhookEndpoint(school)).id,
    }),
    "POST /orgs/{orgId}/integrations/replays": async (school) => {
      await cancelReplay(school);
      return { ...(await lastMinute(school)), endpoint_id: (await webhookEndpoint(school)).id };
    },
    "POST /orgs/{orgId}/integrations/api-keys": async ({ installation }) => ({
      expires_at: new Date(installation.clock.now().getTime() + 86_400_000).toISOString(),
    }),
  },
};

/** An endpoint without a receiver: its name resolves to a public address in the tests. */
export const webhookUrl = "https://hooks.example.com/windsock";

/** Only one may exist at a time. */
async function cancelReplay({ owner }: StagedSchool): Promise<void> {
  const { data } = (await owner.get("/integrations/replays?limit=500")).body;
  const running = data.find(({ status }: { status: string }) => status === "running");
  if (running) expectStatus(200, await owner.post(`/integrations/replays/${running.id}/cancel`));
}

const lastMinute = async ({ installation }: StagedSchool) => {
  const now = installation.clock.now().getTime();
  return { since: new Date(now - 60_000).toISOString(), until: new Date(now).toISOString() };
};

async function pinged(school: StagedSchool): Promise<{ event_id: string; delivery_ids: string[] }> {
  const { id } = await webhookEndpoint(school);
  return expectStatus(201, await school.owner.post(`/integrations/webhook-endpoints/${id}/ping`)).body.data;
}

async function webhookEndpoint(school: StagedSchool): Promise<{ id: string }> {
  const endpoint = { url: webhookUrl, event_types: ["flight.submitted", "flight.approved", "webhook.test"] };
  return expectStatus(201, await school.owner.post("/integrations/webhook-endpoints", endpoint)).body.data;
}
