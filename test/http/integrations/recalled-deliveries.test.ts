import { expect, test } from "bun:test";
import type { EndpointId } from "../../../src/core/ids.ts";
import { expectStatus, newOwnSchool } from "../../support/school.ts";

test("each change of an endpoint tells the dispatcher after the commit, which then claims its deliveries again", async () => {
  const told: (EndpointId | undefined)[] = [];
  const { owner } = await newOwnSchool({ onDue: (_, changed) => void told.push(changed) });
  const path = "/integrations/webhook-endpoints";
  const body = { url: "https://hooks.example.com/", event_types: ["webhook.test"] };
  const { id } = expectStatus(201, await owner.post(path, body)).body.data;
  const changes = {
    url: () => owner.patch(`${path}/${id}`, { url: "https://moved.example.com/" }),
    rotation: () => owner.post(`${path}/${id}/rotate-secret`),
    disabled: () => owner.patch(`${path}/${id}`, { enabled: false }),
    deleted: () => owner.delete(`${path}/${id}`),
  };
  for (const [name, change] of Object.entries(changes)) {
    told.length = 0;
    expect([name, (await change()).status]).toEqual([name, 200]);
    expect([name, told]).toEqual([name, expect.arrayContaining([id])]);
  }
});
