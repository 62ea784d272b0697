/** Evidence packs in the console: an audit pack, a pilot's, links to verify, and what a student has of it. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import type { OrgId } from "../../src/core/ids.ts";
import { expectStatus, type Member, newSchool } from "../support/school.ts";
import { executablePath, expectSound, openStage, type Stage, signIn, soon } from "./browser.ts";
import { tabTo } from "./keys.ts";

/** A pack that is ready. */
async function issued(by: Member, body: object): Promise<string> {
  const { id } = expectStatus(202, await by.post("/evidence-packs", body)).body.data;
  await soon(async () => (await by.get(`/evidence-packs/${id}`)).body.data.status, "ready");
  return id;
}

describe.skipIf(executablePath === null)("in Chromium", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  }, 120_000);
  afterAll(() => stage.close());

  const now = () => stage.installation.clock.now();

  test("the head of training makes an audit pack by one click, downloads it, and gives a link to the inspector", async () => {
    const { owner } = await newSchool(stage.installation);
    const page = await stage.open({ as: owner, path: "/app/evidence", now: now() });
    await page.getByText("No evidence packs yet").waitFor();
    await page.getByText("The first pack makes the first key.").waitFor();
    await expectSound(page);

    await page.getByRole("button", { name: "Audit pack of today" }).click();
    await page.getByRole("heading", { level: 1, name: "The school on 14/06/2026" }).waitFor();
    await page.getByText("Ready", { exact: true }).waitFor();
    const started = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download" }).click();
    expect((await started).suggestedFilename()).toMatch(/^compliance-pack-[0-9a-f-]{36}\.zip$/);
    await expectSound(page);

    await page.getByRole("button", { name: "New link" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Who gets it").fill("<b>Inspector</b> Weber");
    expect(await dialog.getByLabel("Valid through").inputValue()).toBe("2026-07-14");
    await expectSound(page);
    await dialog.getByRole("button", { name: "Make the link" }).click();
    const link = (await dialog.locator(".link").textContent()) ?? "";
    await expectSound(page);
    const answer = await fetch(link, { headers: { accept: "text/html" } });
    expect([answer.status, (await answer.text()).includes("Evidence pack: valid")]).toEqual([200, true]);
    await dialog.getByRole("button", { name: "Done" }).click();
    await page.getByText("valid through 14/07/2026").waitFor();
    const { data } = expectStatus(200, await owner.get("/share-tokens")).body;
    // Midnight in Berlin, where the school is.
    expect(data.find(({ created_by }: { created_by: string | null }) => created_by !== null)).toMatchObject({
      name: "<b>Inspector</b> Weber",
      expires_at: "2026-07-14T22:00:00.000Z",
    });

    await page.getByRole("button", { name: "Revoke <b>Inspector</b> Weber" }).click();
    await page.getByText("Revoked", { exact: true }).waitFor();
    expect((await fetch(link)).status).toBe(404);

    await page.getByRole("button", { name: "Remove the content" }).click();
    await expectSound(page);
    await dialog.getByRole("button", { name: "Remove the content" }).click();
    await page.getByText("Whoever has the file can still verify it.").waitFor();
    expect(await page.getByRole("button", { name: "Download" }).count()).toBe(0);
    await expectSound(page);
  });

  test("a pilot's pack, a newer one, and a new key: by keys alone, in German on a phone in the dark", async () => {
    const { owner, student } = await newSchool(stage.installation);
    const old = await issued(owner, { type: "pilot_portable", person_id: student.personId });
    const page = await stage.open({
      ...{ path: "/app/evidence", width: 360, colorScheme: "dark", locale: "de-DE", now: now() },
    });
    await signIn(page, owner);
    await page.getByRole("link", { name: "Sam Student" }).waitFor();
    await expectSound(page);
    await tabTo(page, "Anderes Paket");
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    const person = dialog.getByRole("combobox", { name: "Person" });
    await person.waitFor();
    await person.focus();
    await page.keyboard.type("stud");
    await page.getByRole("option", { name: /Sam Student/ }).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await expectSound(page);
    await tabTo(page, "Anfordern");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Sam Student" }).waitFor();
    await page.getByText("Fertig", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Zurückziehen Der Link im PDF des Pakets" }).waitFor();
    await expectSound(page);

    await page.goto(`${stage.url}/app/evidence/${old}`);
    await page.getByText("Überholt", { exact: true }).waitFor();
    await tabTo(page, "Zum neueren Paket");
    await page.keyboard.press("Enter");
    await page.getByText("Fertig", { exact: true }).waitFor();

    await page.goto(`${stage.url}/app/evidence`);
    await page.getByText("In Gebrauch").waitFor();
    await tabTo(page, "Neuer Schlüssel");
    await page.keyboard.press("Enter");
    await expectSound(page);
    await tabTo(page, "Neuer Schlüssel");
    await page.keyboard.press("Enter");
    await page.getByText("Ersetzt", { exact: true }).waitFor();
    expect(expectStatus(200, await owner.get("/signing-keys")).body.data).toHaveLength(2);
    await expectSound(page);
  });

  test("a pack that failed says why, and is built again", async () => {
    const { owner, orgId } = await newSchool(stage.installation);
    const id = await issued(owner, { type: "compliance_pack", as_of: "2026-06-14" });
    const tenant = stage.installation.storage.tenants.tenant(orgId as OrgId);
    await tenant.write((tx) =>
      tx.run(sql`update evidence_packs set status = 'failed', failure = 'records_changed', manifest = null,
        signature = null, sha256 = null, size_bytes = null where id = ${id}`),
    );
    const page = await stage.open({ as: owner, path: `/app/evidence/${id}`, now: now() });
    await page.getByText("Try again at a quieter moment.").waitFor();
    await expectSound(page);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByText("Ready", { exact: true }).waitFor();
    await expectSound(page);
  });

  test("a student requests a pack of themself on their own page, and sees none of others", async () => {
    const { owner, student } = await newSchool(stage.installation);
    const other = await issued(owner, { type: "compliance_pack", as_of: "2026-06-14" });
    const page = await stage.open({ as: student, path: "/app/myself", width: 360, now: now(), refusals: [404] });
    const section = page.getByRole("region", { name: "Evidence packs" });
    await section.getByText("None yet.").waitFor();
    await section.getByRole("button", { name: "Request" }).click();
    await section.getByText("Ready", { exact: true }).waitFor();
    await section.getByRole("link").click();
    await page.getByRole("button", { name: "Download", exact: true }).waitFor();
    expect(page.url()).toMatch(/\/app\/evidence\/[0-9a-f-]{36}$/);
    expect(await page.getByRole("button", { name: "Remove the content" }).count()).toBe(0);
    await expectSound(page);
    await page.goto(`${stage.url}/app/evidence/${other}`);
    await page.getByRole("alert").waitFor();
    await page.goto(`${stage.url}/app/evidence`);
    await page.getByRole("heading", { name: "Not found" }).waitFor();
  });
});
