import { describe, expect, test } from "bun:test";
import { days } from "../../../src/core/clock.ts";
import { type Installation, newInstallation } from "../../support/installation.ts";
import { expectStatus, statuses } from "../../support/school.ts";
import { claim, invite, join, type Newcomer, renewed, signUp } from "../accounts/newcomers.ts";

const list = (at: Installation, by: Pick<Newcomer, "token" | "orgId">, query = "") =>
  at.call("GET", `/orgs/${by.orgId}/invites${query}`, { token: by.token });

const statusesOf = (answer: { body: { data: { email: string; status: string }[] } }) =>
  answer.body.data.map(({ email, status }) => [email.split("@", 1)[0], status]);

/** Creates a school with an invite in each status, the newest last. */
async function everyState() {
  const at = await newInstallation();
  const early = await signUp(at);
  await invite(at, early, "expired@example.com", ["student"]);
  at.clock.advance(days(7));
  const olga = await renewed(at, early);
  await join(at, olga, "claimed@example.com", ["mechanic"]);
  at.clock.advance(1);
  await invite(at, olga, "asked-twice@example.com", ["student"]);
  at.clock.advance(1);
  const token = await invite(at, olga, "asked-twice@example.com", ["instructor", "student"]);
  return { at, olga, token };
}

describe("GET /orgs/{orgId}/invites", () => {
  test("shows every invite with its status, newest first, without the token", async () => {
    const { at, olga, token } = await everyState();
    const answer = expectStatus(200, await list(at, olga));
    expect(statusesOf(answer)).toEqual([
      ["asked-twice", "open"],
      ["asked-twice", "revoked"],
      ["claimed", "claimed"],
      ["expired", "expired"],
    ]);
    expect(answer.body.data[0]).toEqual({
      id: expect.any(String),
      email: "asked-twice@example.com",
      roles: ["instructor", "student"],
      status: "open",
      invited_by: olga.userId,
      invited_by_name: "Olga Owner",
      created_at: "2026-06-21T09:00:00.002Z",
      expires_at: "2026-06-28T09:00:00.002Z",
      claimed_at: null,
      claimed_by: null,
      claimed_by_name: null,
      revoked_at: null,
    });
    expect(answer.body.data[1]).toMatchObject({ revoked_at: "2026-06-21T09:00:00.002Z" });
    expect(answer.body.data[2]).toMatchObject({
      claimed_at: "2026-06-21T09:00:00.000Z",
      claimed_by: expect.any(String),
    });
    expect(answer.text).not.toContain(token);
    expect(answer.text).not.toContain("hash");
  });

  test("filters by the status at the time of the request", async () => {
    const { at, olga, token } = await everyState();
    let by = olga;
    const named = async (status: string) => statusesOf(await list(at, by, `?status=${status}`)).map(([name]) => name);
    const everyList = async () => [
      await named("open"),
      await named("claimed"),
      await named("revoked"),
      await named("expired"),
    ];
    expect(await everyList()).toEqual([["asked-twice"], ["claimed"], ["asked-twice"], ["expired"]]);
    at.clock.advance(days(7));
    by = await renewed(at, olga);
    expect(await everyList()).toEqual([[], ["claimed"], ["asked-twice"], ["asked-twice", "expired"]]);
    expect((await claim(at, token)).status).toBe(410);
    expect((await list(at, by, "?status=lost")).status).toBe(400);
  });

  test("returns pages", async () => {
    const { at, olga } = await everyState();
    const { body } = await list(at, olga, "?limit=2&offset=1&with_total=true");
    expect(statusesOf({ body }).map(([, status]) => status)).toEqual(["revoked", "claimed"]);
    expect(body.page).toEqual({ limit: 2, offset: 1, has_more: true, next_cursor: expect.any(String), total: 4 });
  });

  test("shows one invite as the list does, with its status, and none of another organization or kind", async () => {
    const { at, olga } = await everyState();
    const otto = await signUp(at, "otto@example.com");
    const one = (by: Newcomer, id: string, kind = "invites") =>
      at.call("GET", `/orgs/${by.orgId}/${kind}/${id}`, { token: by.token });
    const { data } = (await list(at, olga)).body;
    for (const invite of data) expect(expectStatus(200, await one(olga, invite.id)).body).toEqual({ data: invite });
    const [{ id }] = data;
    const others = [
      await one(otto, id),
      await one({ ...otto, orgId: olga.orgId }, id),
      await one(olga, id, "student-invites"),
    ];
    expect(statuses(others)).toEqual([404, 404, 404]);
  });

  test("requires the permission to manage members of this organization", async () => {
    const { at, olga } = await everyState();
    const admin = await join(at, olga, "adam@example.com", ["admin"]);
    const student = await join(at, olga, "sam@example.com", ["student"]);
    const otto = await signUp(at, "otto@example.com");
    const asked = [
      await list(at, admin),
      await list(at, student),
      await list(at, { ...otto, orgId: olga.orgId }),
      await at.call("GET", `/orgs/${olga.orgId}/invites`),
    ];
    expect(asked.map(({ status }) => status)).toEqual([200, 403, 404, 401]);
    expect((await list(at, otto)).body.data).toEqual([]);
  });
});
