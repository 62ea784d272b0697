import { describe, expect, test } from "bun:test";
import { people } from "../../../src/modules/people/people.tables.ts";
import { newInstallation } from "../../support/installation.ts";
import { expectStatus } from "../../support/school.ts";
import { signUp } from "../accounts/newcomers.ts";
import { ask, claim, invitedStudent } from "./students.ts";

describe("GET /orgs/{orgId}/student-invites", () => {
  test("shows every student invite with its status, filtered and in pages", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const first = await invitedStudent(at, olga);
    at.clock.advance(1);
    const second = await invitedStudent(at, olga, { name: "Berta", email: "berta@example.com" });
    expectStatus(200, await claim(at, first.token));
    const states = async (query: string) =>
      (await ask(at, "GET", olga, query)).body.data.map(({ id, status }: { id: string; status: string }) => [
        id,
        status,
      ]);
    expect(await states("")).toEqual([
      [second.id, "open"],
      [first.id, "claimed"],
    ]);
    expect(await states("?status=claimed")).toEqual([[first.id, "claimed"]]);
    expect(await states("?limit=1&offset=1")).toEqual([[first.id, "claimed"]]);
    for (const invite of (await ask(at, "GET", olga)).body.data)
      expect(expectStatus(200, await ask(at, "GET", olga, `/${invite.id}`)).body).toEqual({ data: invite });
    expectStatus(404, await at.call("GET", `/orgs/${olga.orgId}/invites/${first.id}`, { token: olga.token }));
  });

  test("does not list an invite as open whose person the restored file lacks", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const { id } = await invitedStudent(at, olga);
    await at.storage.tenants.tenant(olga.orgId).write((tx) => tx.delete(people));
    const listed = async (query: string) =>
      (await ask(at, "GET", olga, query)).body.data.map(({ status }: { status: string }) => status);
    expect(await listed("?status=open")).toEqual([]);
    expect(await listed("?status=expired")).toEqual(["expired"]);
    expect(await listed("")).toEqual(["expired"]);
    expect((await ask(at, "GET", olga, `/${id}`)).body.data).toMatchObject({ id, status: "expired" });
  });
});
