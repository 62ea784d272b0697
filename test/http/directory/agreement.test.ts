/** After any changes, in any order, the directory shows what the tenants publish and the moderators allow, and nothing else. */
import { expect, test } from "bun:test";
import { idsOf, newModerator, profilePath } from "../../support/directory.ts";
import { expectStatus, newOwnSchool } from "../../support/school.ts";

/** Pseudo-random numbers below `limit`. */
function numbers(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % limit;
  };
}

interface Model {
  published: boolean;
  consents: boolean;
  active: boolean;
  instructs: boolean;
  status: string;
}

test.each([7, 4711])(
  "an instructor is public exactly while every condition holds, after random changes (%i)",
  async (seed) => {
    const next = numbers(seed);
    const { installation, owner, instructor } = await newOwnSchool();
    const { token } = await newModerator(installation);
    const id = instructor.personId;
    const path = profilePath("instructors", id);
    expectStatus(200, await owner.patch(path, { published: false }));
    const model: Model = { published: false, consents: false, active: true, instructs: true, status: "published" };
    let isThere = false;
    const person = (body: object) => owner.patch(`/people/${id}`, body);
    const changes: (() => Promise<unknown>)[] = [
      async () => {
        // An instructor who is no longer one has no profile to change.
        if (!model.instructs) return;
        model.published = !model.published;
        expectStatus(200, await owner.patch(path, { published: model.published }));
      },
      async () => {
        model.consents = !model.consents;
        const answer = model.consents ? instructor.post(`${path}/consent`) : instructor.delete(`${path}/consent`);
        expectStatus(200, await answer);
      },
      async () => {
        model.active = !model.active;
        expectStatus(200, await person({ status: model.active ? "active" : "archived" }));
      },
      async () => {
        if (!model.active) return;
        model.instructs = !model.instructs;
        expectStatus(200, await person({ types: model.instructs ? ["instructor"] : ["pilot"] }));
      },
      async () => {
        // Without an entry there is nothing to moderate.
        if (!isThere && model.status === "published") return;
        model.status = ["published", "hidden", "suspended"][next(3)] ?? "";
        const body = { status: model.status };
        expectStatus(200, await installation.call("PATCH", `/admin/directory/instructors/${id}`, { token, body }));
      },
    ];
    let shown = 0;
    for (let count = 0; count < 120; count += 1) {
      await changes[next(changes.length)]?.();
      const { published, consents, active, instructs, status } = model;
      isThere = published && consents && active && instructs;
      const isPublic = isThere && status === "published";
      expect([count, model, await idsOf(installation, "instructors")]).toEqual([count, model, isPublic ? [id] : []]);
      if (isPublic) shown += 1;
    }
    expect(shown).toBeGreaterThan(3);
  },
  300_000,
);
