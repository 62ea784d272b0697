import { expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { unzipSync } from "fflate";
import { hours } from "../../../src/core/clock.ts";
import { newId, type OrgId } from "../../../src/core/ids.ts";
import { memberships, users } from "../../../src/identity/identity.tables.ts";
import { disableAccount } from "../../../src/modules/accounts/operator/disable-account.ts";
import type { Installation } from "../../support/installation.ts";
import { applyFor, newAccount, newApplication, newOpportunity, publishedOpportunity } from "../../support/market.ts";
import {
  expectStatus,
  type Member,
  newOwnSchool,
  newSchool,
  type School,
  statuses,
  times,
} from "../../support/school.ts";

const applicationStatuses = ["submitted", "shortlisted", "accepted", "rejected", "withdrawn"] as const;

const setStatus = (
  { installation }: Pick<School, "installation">,
  id: string,
  { token }: { token: string },
  status: string,
  note?: string,
) => installation.call("PATCH", `/applications/${id}/status`, { token, body: { status, ...(note && { note }) } });

const ids = (rows: { id: string }[]) => rows.map(({ id }) => id);

test("an applicant applies once, also when eight requests arrive together", async () => {
  const { owner, installation } = await newSchool();
  const [id, account] = [await publishedOpportunity(owner), await newAccount(installation)];

  const answers = await Promise.all(times(8, () => applyFor(installation, id, account)));

  expect(statuses(answers)).toEqual([201, ...times(7, () => 409)]);
  const mine = await installation.call("GET", "/applications", { token: account.token });
  expect(mine.body.data).toHaveLength(1);
});

test("an application shows the organization the applicant's name and address, and nothing else of the account", async () => {
  const school = await newSchool();
  const applicant = await newAccount(school.installation, "Anna Applicant");
  const id = await newApplication(school, applicant);

  const seen = expectStatus(200, await school.owner.call("GET", `/applications/${id}`)).body.data;

  expect(seen).toMatchObject({ status: "submitted", message: "I would like to.", organization: { id: school.orgId } });
  expect(seen.applicant).toEqual({ name: "Anna Applicant", email: applicant.email, email_verified: false });
  expect(seen.history).toEqual([
    { status: "submitted", at: seen.created_at, by: "applicant", name: "Anna Applicant", note: null },
  ]);
  const own = await school.installation.call("GET", `/applications/${id}`, { token: applicant.token });
  expect(own.body.data).toEqual(seen);
});

test("members of the publishing organization can't apply, nor anybody after the opportunity closed", async () => {
  const { owner, student, installation } = await newSchool();
  const [id, account] = [await publishedOpportunity(owner), await newAccount(installation)];
  expect((await applyFor(installation, id, student)).body.error.reason).toBe("own_organization");
  expectStatus(200, await owner.post(`/opportunities/${id}/close`));
  expect((await applyFor(installation, id, account)).body.error.reason).toBe("wrong_status");

  const alone = await newOwnSchool();
  const expiring = await publishedOpportunity(alone.owner, { expires_on: "2026-06-14" });
  // Midnight in Berlin.
  alone.installation.clock.advance(hours(13));
  expect((await applyFor(alone.installation, expiring, await newAccount(alone.installation))).status).toBe(409);
  expect((await applyFor(installation, "01890a5d-ac96-774b-bcce-b302099a8057", account)).status).toBe(404);
});

test("nobody applies for a draft, nor to an organization that nobody can manage any more", async () => {
  const { owner, installation } = await newOwnSchool();
  const account = await newAccount(installation);
  const [draft, published] = [await newOpportunity(owner), await publishedOpportunity(owner)];
  expect((await applyFor(installation, draft, account)).status).toBe(404);
  await disable(installation, owner.email);
  expect((await applyFor(installation, published, account)).status).toBe(404);
});

function disable({ storage, clock }: Installation, email: string) {
  const operator = { actor: { kind: "command_line" }, requestId: "", clock, control: storage.control } as const;
  return disableAccount(operator, { email });
}

test("each side makes its own moves only, and final is final", async () => {
  const school = await newOwnSchool();
  const { owner, installation } = school;
  const applicant = await newAccount(installation);
  const id = await newApplication(school, applicant);
  const allowed: string[] = [];
  for (const from of applicationStatuses)
    for (const [side, by] of Object.entries({ organization: owner, applicant }))
      for (const to of applicationStatuses.filter((status) => status !== "submitted")) {
        await installation.storage.control.write((tx) =>
          tx.run(sql`update applications set status = ${from} where id = ${id}`),
        );
        const { status, body } = await setStatus(school, id, by, to);
        if (status === 200) allowed.push(`${side}: ${from} to ${body.data.status}`);
        // What the other side sets is refused alike in each status.
        else expect([from, side, to, status]).toEqual([from, side, to, isOfSide(side, to) ? 400 : 403]);
      }

  expect(allowed).toEqual([
    "organization: submitted to shortlisted",
    "organization: submitted to rejected",
    "applicant: submitted to withdrawn",
    "organization: shortlisted to accepted",
    "organization: shortlisted to rejected",
    "applicant: shortlisted to withdrawn",
  ]);
});

const isOfSide = (side: string, status: string) => (side === "applicant") === (status === "withdrawn");

test("an unknown application and another's get the same 403", async () => {
  const [school, other] = [await newSchool(), await newSchool()];
  const id = await newApplication(school);
  const told = async (by: { token: string }, application: string) => {
    const { status, body } = await setStatus(school, application, by, "rejected");
    return { status, error: { ...body.error, request_id: undefined } };
  };
  const unknown = await told(other.owner, "01890a5d-ac96-774b-bcce-b302099a8057");
  expect(unknown).toMatchObject({ status: 403, error: { reason: "permission_missing" } });
  for (const by of [other.owner, school.student, await newAccount(school.installation)])
    expect(await told(by, id)).toEqual(unknown);
  for (const by of [other.owner, school.student])
    expect((await by.call("GET", `/applications/${id}`)).status).toBe(404);
});

test("the list has what the organization received, or the caller's own", async () => {
  const school = await newOwnSchool();
  const other = await newSchool(school.installation);
  const list = async (by: Pick<Member, "token">, query = "", org?: string) =>
    school.installation.call("GET", `/applications${query}`, { token: by.token, ...(org && { org }) });
  const applicant = await newAccount(school.installation);
  const first = await newApplication(school, applicant);
  school.installation.clock.advance(1);
  const second = await newApplication(school);
  const elsewhere = await newApplication(other, school.owner);
  expectStatus(200, await setStatus(school, second, school.owner, "rejected"));

  expect(ids((await list(school.owner)).body.data)).toEqual([second, first]);
  expect(ids((await list(school.owner, "?status=rejected")).body.data)).toEqual([second]);
  expect(ids((await list(school.owner, "?mine=true")).body.data)).toEqual([elsewhere]);
  expect(ids((await list(applicant)).body.data)).toEqual([first]);
  expect(ids((await list(other.owner)).body.data)).toEqual([elsewhere]);
  expect((await list(school.owner, "", other.orgId)).body.error.reason).toBe("not_a_member");
  expect((await list(applicant, "", school.orgId)).body.error.reason).toBe("not_a_member");
  expect((await list(school.student)).body.error.reason).toBe("permission_missing");
  expect(ids((await list(school.student, "?mine=true")).body.data)).toEqual([]);
});

test("a manager who applied before joining does not decide their own application", async () => {
  const school = await newSchool();
  const applicant = await newAccount(school.installation);
  const id = await newApplication(school, applicant);
  const { token } = expectStatus(201, await school.owner.post("/invites", { email: applicant.email, roles: ["admin"] }))
    .body.data;
  const claim = { token: applicant.token, body: { token } };
  expectStatus(200, await school.installation.call("POST", "/auth/org-invites/claim", claim));
  const decide = (status: string) =>
    school.installation.call("PATCH", `/applications/${id}/status`, {
      token: applicant.token,
      org: school.orgId,
      body: { status },
    });

  expect((await decide("shortlisted")).status).toBe(403);
  expect((await decide("withdrawn")).status).toBe(200);
});

test("an account applies at most 30 times an hour", async () => {
  const { owner, installation } = await newOwnSchool();
  const [id, account] = [await publishedOpportunity(owner), await newAccount(installation)];
  const answers = [];
  for (const _ of times(30, () => 0)) answers.push(await applyFor(installation, id, account));
  expect(statuses(answers)).toEqual([201, ...times(29, () => 409)]);
  expect((await applyFor(installation, id, account)).status).toBe(429);
  expect((await applyFor(installation, id, await newAccount(installation))).status).toBe(201);
});

test("the history names each status, who set it and the note, which both sides see", async () => {
  const school = await newSchool();
  const applicant = await newAccount(school.installation, "Anna Applicant");
  const id = await newApplication(school, applicant);
  expectStatus(200, await setStatus(school, id, school.owner, "shortlisted", "Please call us."));
  expectStatus(200, await setStatus(school, id, applicant, "withdrawn", "I have found another."));

  const { data } = (await school.installation.call("GET", `/applications/${id}`, { token: applicant.token })).body;

  expect(data.history).toMatchObject([
    { status: "submitted", by: "applicant", name: "Anna Applicant", note: null },
    { status: "shortlisted", by: "organization", name: "Olga Owner", note: "Please call us." },
    { status: "withdrawn", by: "applicant", name: "Anna Applicant", note: "I have found another." },
  ]);
  const log = expectStatus(200, await school.owner.get(`/audit-log?log=organization&subject_id=${id}`)).body.data;
  expect(log.map(({ action }: { action: string }) => action)).toEqual([
    "application.withdrawn",
    "application.shortlisted",
    "application.created",
  ]);
});

const verify = ({ storage }: Installation, email: string) =>
  storage.control.write((tx) => tx.run(sql`update users set email_verified_at = ${tx.now} where email = ${email}`));

test("verified addresses get a mail: those of managers of a new application, the applicant's of each decision", async () => {
  const school = await newOwnSchool();
  const { installation, owner } = school;
  const applicant = await newAccount(installation, "Anna Applicant");
  await verify(installation, owner.email);
  await verify(installation, applicant.email);
  await school.join(["admin"], "Unverified Admin");
  const disabled = await school.join(["admin"], "Disabled Admin");
  for (const { email } of [school.student, disabled]) await verify(installation, email);
  await disable(installation, disabled.email);
  installation.mails.length = 0;

  const id = await newApplication(school, applicant);

  expect(installation.mails.map(({ to }) => to)).toEqual([owner.email]);
  expect(installation.mails[0]?.text).toContain("Anna Applicant has applied");
  expect(installation.mails[0]?.text).not.toContain("I would like to.");
  installation.mails.length = 0;
  expectStatus(200, await setStatus(school, id, owner, "shortlisted", "Please call us."));
  expectStatus(200, await setStatus(school, id, owner, "accepted"));
  expect(installation.mails.map(({ to, text }) => [to, /is now: (\w+)/.exec(text)?.[1]])).toEqual([
    [applicant.email, "shortlisted"],
    [applicant.email, "accepted"],
  ]);
  installation.mails.length = 0;
  // The applicant's address is not verified.
  expectStatus(200, await setStatus(school, await newApplication(school), owner, "rejected"));
  // Nobody gets a mail about what they did themself, nor the organization about a withdrawal.
  expectStatus(200, await setStatus(school, await newApplication(school, applicant), applicant, "withdrawn"));
  const others = installation.mails.filter(({ subject }) => subject !== "Confirm your e-mail address");
  expect(others.map(({ to }) => to)).toEqual([owner.email, owner.email]);
});

test("of the applications of an hour, 60 are mailed, to at most 20 managers", async () => {
  const school = await newOwnSchool();
  const { installation, owner, orgId } = school;
  await verify(installation, owner.email);
  await installation.storage.control.write(async (tx) => {
    const [user] = await tx.select().from(users).where(eq(users.email, owner.email));
    const [membership] = await tx
      .select()
      .from(memberships)
      .where(eq(memberships.org_id, orgId as OrgId))
      .limit(1);
    if (!user || !membership) throw new Error("no owner");
    for (const n of times(24, (n) => n)) {
      const id = newId<"user">(installation.clock);
      await tx.insert(users).values({ ...user, id, email: `${n}.${user.email}` });
      await tx.insert(memberships).values({ ...membership, user_id: id, roles: ["admin"] });
    }
  });
  const accounts = [];
  for (const _ of times(3, () => 0)) accounts.push(await newAccount(installation));
  installation.mails.length = 0;
  const mailed: number[] = [];
  for (const at of times(61, (n) => n)) {
    await newApplication(school, accounts[at % 3]);
    mailed.push(installation.mails.splice(0).length);
  }
  expect(mailed).toEqual([...times(60, () => 20), 0]);
});

test("the export of a person has the applications of their account, and the erasure deletes them", async () => {
  const school = await newOwnSchool();
  const { owner, installation } = school;
  const applicant = await newAccount(installation, "Anna Applicant");
  const id = await newApplication(school, applicant);
  const other = await newApplication(school);
  const otherSchool = await newSchool(installation);
  const elsewhere = await newApplication(otherSchool, applicant);
  const member = expectStatus(
    201,
    await owner.post("/people", { name: "Anna Applicant", types: ["student"], email: applicant.email }),
  ).body.data;
  const { token } = expectStatus(201, await owner.post("/student-invites", { person_id: member.id })).body.data;
  const claimed = await installation.call("POST", "/auth/student-invites/claim", {
    token: applicant.token,
    body: { token },
  });
  const { user_id } = expectStatus(200, await owner.get(`/people/${member.id}`)).body.data;
  expect([claimed.status, user_id]).toEqual([200, expect.any(String)]);

  const headers = { authorization: `Bearer ${owner.token}` };
  const url = `http://localhost/orgs/${owner.orgId}/people/${member.id}/export`;
  const exported = await (await installation.app.fetch(new Request(url, { headers }))).arrayBuffer();
  const { "person.json": json } = unzipSync(new Uint8Array(exported));
  const { applications } = JSON.parse(Buffer.from(json ?? []).toString());
  expect(applications).toMatchObject([{ id, message: "I would like to.", history: [{ status: "submitted" }] }]);
  expect(applications).toHaveLength(1);

  expectStatus(200, await owner.delete(`/members/${user_id}`));
  expectStatus(200, await owner.patch(`/people/${member.id}`, { status: "archived" }));
  const erased = await owner.post(`/people/${member.id}/erase`);
  expect(`${erased.status} ${erased.text}`).toStartWith("200 ");

  expect(ids((await owner.call("GET", "/applications")).body.data)).toEqual([other]);
  expect((await owner.call("GET", `/applications/${id}`)).status).toBe(404);
  expect(ids((await otherSchool.owner.call("GET", "/applications")).body.data)).toEqual([elsewhere]);
});
