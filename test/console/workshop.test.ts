/** The workshop's own area: what is due, work orders from there to the release, defects from the apron, deferrals, programmes. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { booked, solo } from "../http/planning/booking.ts";
import { expectStatus, newSchool, type School } from "../support/school.ts";
import { executablePath, expectSound, openStage, type Stage, signIn, soon } from "./browser.ts";
import { tabTo, tabToField } from "./keys.ts";

const photo = {
  ...{ name: "Bremse.png", mimeType: "image/png" },
  buffer: Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  ),
};

/** Markup and a word without a break. */
const hostile = (length: number) => `<img src=x onerror=alert(1)>${"W".repeat(length)}`.slice(0, length);

describe.skipIf(executablePath === null)("in Chromium", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  }, 120_000);
  afterAll(() => stage.close());

  const now = () => stage.installation.clock.now();
  const add = async ({ owner, aircraftId }: Pick<School, "owner" | "aircraftId">, item: object) =>
    expectStatus(201, await owner.post("/maintenance/items", { aircraft_id: aircraftId, ...item })).body.data;
  /** 98.7 of 100 hours. */
  const nearly = { interval_hours: "100.00", last_done_airframe_minutes: 74_070 - 5922, critical: true };

  test("the morning's look, then a 100-hour check from its bar to the release, on a tablet", async () => {
    const school = await newSchool(stage.installation);
    const { owner } = school;
    const mechanic = await school.join(["mechanic"], "Mia Mechanic");
    await add(school, { name: "100-hour check", ...nearly });
    await add(school, { name: "Propeller", interval_months: 72, last_done_on: "2026-01-10" });
    for (const day of ["2026-06-15", "2026-06-16", "2026-06-17"])
      await booked(owner, solo(school, `${day}T10:00:00.000Z`, 60));
    const page = await stage.open({ as: mechanic, path: "/app/today", width: 820, now: now() });
    await page.getByRole("link", { name: "Maintenance" }).first().click();
    const due = page.getByRole("list", { name: "What is due, by date" });
    // 1.3 hours are left, and an hour is booked each day.
    await due.getByText("16/06/2026").waitFor();
    await due.getByText("by the bookings").waitFor();
    await due.locator("span", { hasText: "1:18 h left" }).waitFor();
    expect(await due.getByText("Propeller").count()).toBe(0);
    await expectSound(page);
    await page.getByLabel("Shown as").selectOption("table");
    await page.getByRole("table").getByText("10/01/2032").first().waitFor();
    await expectSound(page);
    await page.getByLabel("Shown as").selectOption("bars");
    await page.getByRole("button", { name: "Show all 2" }).click();
    await due.getByText("in 2,036 days").waitFor();
    await due.locator("span", { hasText: "2,036 days left, until 10/01/2032" }).waitFor();
    await page.getByRole("button", { name: "2 bookings after it" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("due on 16/06/2026").waitFor();
    await soon(() => dialog.getByRole("listitem").count(), 2);
    await expectSound(page);
    await dialog.getByRole("link", { name: "Open a work order" }).click();
    expect(await page.getByLabel("100-hour check (Due soon)").isChecked()).toBe(true);
    await soon(() => page.getByLabel("Title").inputValue(), "100-hour check");
    await expectSound(page);
    await page.getByRole("button", { name: "Open", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "100-hour check" }).waitFor();
    await page.getByRole("button", { name: "+ 1:00 h" }).click();
    const worked = page.getByRole("list", { name: "Working time" }).getByRole("listitem");
    await soon(
      () => worked.allInnerTexts(),
      ["Mia Mechanic\n14/06/2026\n1:00 h\nRemove the time of Mia Mechanic on 14/06/2026"],
    );
    await page.getByRole("button", { name: "+ 0:15 h" }).click();
    await page.locator("strong", { hasText: "1:15 h" }).waitFor();
    await page.getByLabel("Take a photo").setInputFiles(photo);
    await page.getByRole("img", { name: "Bremse.png" }).waitFor();
    await page.getByRole("button", { name: "Start the work" }).click();
    await page.getByText("In progress", { exact: true }).waitFor();
    await expectSound(page);

    await page.getByRole("button", { name: "Release to service" }).click();
    await dialog.getByLabel("Approval", { exact: true }).selectOption("pilot_owner");
    await dialog.getByText("A pilot-owner may not release “100-hour check”").waitFor();
    expect(await dialog.getByRole("button", { name: "Release" }).count()).toBe(0);
    await expectSound(page);
    await dialog.getByLabel("Approval", { exact: true }).selectOption("part_145");
    await dialog.getByLabel("Approval number").fill("DE.145.0042");
    await dialog.getByLabel("Licence").fill("DE.66.4711");
    await dialog.getByLabel("Maintenance data").fill("AMM 5-14, rev. 25");
    await dialog.getByRole("button", { name: "Release" }).click();
    await page.getByText("Part-145 DE.145.0042").waitFor();
    // Whose status it is stands before it.
    await page.getByText("Aircraft Available").waitFor();
    await expectSound(page);
    const [order] = expectStatus(200, await owner.get("/maintenance/work-orders")).body.data;
    expect(order).toMatchObject({
      ...{
        status: "done",
        worked_minutes: 75,
        hours: [{ person_id: mechanic.personId, minutes: 75 }],
        items: [{ name: "100-hour check" }],
      },
      release: { by: "Mia Mechanic", approval: { kind: "part_145", reference: "DE.145.0042" } },
    });
    await page.goBack();
    await page.getByRole("link", { name: "What is due" }).click();
    await due.locator("span", { hasText: "100:00 h left" }).waitFor();
  });

  test("the number of an approval is proposed for the same kind of approval, and what is typed stays", async () => {
    const { owner, aircraftId } = await newSchool(stage.installation);
    const opened = async (title: string): Promise<string> => {
      const order = { aircraft_id: aircraftId, title, findings: "Changed." };
      return `/maintenance/work-orders/${expectStatus(201, await owner.post("/maintenance/work-orders", order)).body.data.id}`;
    };
    const earlier = await opened("Oil");
    expectStatus(200, await owner.post(`${earlier}/start`));
    const approval = { kind: "part_145", reference: "DE.145.0042" };
    const release = { by: "Mia", licence_number: "DE.66.1", maintenance_data: "AMM", approval };
    expectStatus(200, await owner.post(`${earlier}/complete`, release));
    const page = await stage.open({ as: owner, path: `/app${await opened("Brakes")}`, now: now() });
    await page.getByRole("button", { name: "Release to service" }).click();
    const kind = page.getByLabel("Approval", { exact: true });
    const number = page.getByLabel("Approval number");
    // That of the last release.
    await soon(() => number.inputValue(), "DE.145.0042");
    expect(await kind.inputValue()).toBe("part_145");
    await kind.selectOption("cao");
    await soon(() => number.inputValue(), "");
    await kind.selectOption("part_145");
    await soon(() => number.inputValue(), "DE.145.0042");
    await number.fill("DE.CAO.0123");
    await kind.selectOption("cao");
    await page.evaluate("new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)))");
    expect(await number.inputValue()).toBe("DE.CAO.0123");
  });

  test("an overdue check is done, and the aircraft is free: by keys alone, in German on a phone in the dark", async () => {
    const school = await newSchool(stage.installation);
    const { owner, aircraft } = school;
    const mechanic = await school.join(["mechanic"], "Mia Mechanic");
    const earlier = { by: "Mia Mechanic", licence_number: "DE.66.1", maintenance_data: "AMM" };
    const first = { aircraft_id: school.aircraftId, title: "Oil", findings: "Changed." };
    const { id } = expectStatus(201, await owner.post("/maintenance/work-orders", first)).body.data;
    expectStatus(200, await owner.post(`/maintenance/work-orders/${id}/start`));
    const approval = { kind: "cao", reference: "DE.CAO.0123" };
    expectStatus(200, await owner.post(`/maintenance/work-orders/${id}/complete`, { ...earlier, approval }));
    await add(school, { name: "Jahreskontrolle", interval_months: 12, last_done_on: "2024-01-10", critical: true });
    expect(await aircraft()).toMatchObject({ status: "grounded" });
    const page = await stage.open({
      ...{ path: "/app/maintenance", width: 360, colorScheme: "dark", locale: "de-DE", now: now() },
    });
    await signIn(page, mechanic);
    await page.getByRole("link", { name: "Auftrag D-EABC Jahreskontrolle" }).waitFor();
    await expectSound(page);
    await tabTo(page, "Auftrag D-EABC Jahreskontrolle");
    await page.keyboard.press("Enter");
    await soon(() => page.getByLabel("Titel").inputValue(), "Jahreskontrolle");
    await expectSound(page);
    await tabTo(page, "Eröffnen");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Jahreskontrolle" }).waitFor();
    // The page that was loaded late has its name, and the keys go on from its heading.
    await soon(async () => (await page.title()).split(" · ")[0], "Jahreskontrolle");
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Jahreskontrolle");
    await page.getByText("Gesperrt").waitFor();
    await expectSound(page);
    await tabTo(page, "Freigeben");
    await page.keyboard.press("Enter");
    // What the last release said is there already.
    await soon(() => page.getByLabel("Genehmigungsnummer").inputValue(), "DE.CAO.0123");
    await soon(() => page.getByLabel("Lizenz").inputValue(), "DE.66.1");
    await expectSound(page);
    // It begins with what is certified: the field that is typed is some way below.
    const head = await page.getByRole("heading", { name: "Freigabebescheinigung" }).boundingBox();
    expect(head?.y).toBeGreaterThan(0);
    await tabToField(page, "maintenance_data");
    await page.keyboard.type("Wartungshandbuch 5-14, Rev. 25");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByRole("heading", { name: "Freigabebescheinigung" }).waitFor();
    await page.getByText("Verfügbar").waitFor();
    // The button is gone: the keys go on from the heading.
    await soon(() => page.evaluate(() => document.activeElement?.textContent), "Jahreskontrolle");
    expect(await aircraft()).toMatchObject({ status: "available" });
    await expectSound(page);
  });

  test("who worked how long: one's own time by a tap, anybody's by name, and a slip is undone", async () => {
    const { owner, aircraftId, join } = await newSchool(stage.installation);
    const mechanic = await join(["mechanic"], "Mia Mechanic");
    const order = { aircraft_id: aircraftId, title: "Bremsen", findings: "Beläge ersetzt." };
    const { id } = expectStatus(201, await owner.post("/maintenance/work-orders", order)).body.data;
    const hours = async () =>
      expectStatus(200, await owner.get(`/maintenance/work-orders/${id}`)).body.data.hours.map(
        ({ person_name, worked_by, worked_on, minutes }: Record<string, unknown>) => [
          person_name ?? worked_by,
          worked_on,
          minutes,
        ],
      );
    const path = `/app/maintenance/work-orders/${id}`;
    const page = await stage.open({ path, width: 360, colorScheme: "dark", locale: "de-DE", now: now() });
    await signIn(page, mechanic);
    await page.getByRole("button", { name: "+ 0:15 h" }).waitFor();
    await tabTo(page, "+ 0:15 h");
    await page.keyboard.press("Enter");
    await page.locator("strong", { hasText: "0:15 h" }).waitFor();
    await tabTo(page, "Zeit eintragen Arbeitszeit");
    await page.keyboard.press("Enter");
    // The focus is in the first field, whose last choice is somebody else. A key that is pressed before goes to the button.
    await page.getByRole("combobox").and(page.locator(":focus")).waitFor();
    await page.keyboard.press("End");
    await page.keyboard.press("Tab");
    await page.keyboard.type(hostile(120));
    await page.getByLabel("Am", { exact: true }).fill("2026-06-12");
    await page.getByLabel("Stunden und Minuten").focus();
    await page.keyboard.type("2:30");
    await expectSound(page);
    await page.keyboard.press("Enter");
    await page.locator("strong", { hasText: "2:45 h" }).waitFor();
    await expectSound(page);
    expect(await hours()).toEqual([
      ["Mia Mechanic", "2026-06-14", 15],
      [hostile(120), "2026-06-12", 150],
    ]);
    await page.getByRole("button", { name: "Zeit von Mia Mechanic am 14.06.2026 entfernen" }).click();
    await page.locator("strong", { hasText: "2:30 h" }).waitFor();
    expect(await hours()).toHaveLength(1);
    await page.getByRole("button", { name: "Rückgängig" }).last().click();
    await page.locator("strong", { hasText: "2:45 h" }).waitFor();
    await soon(hours, [
      ["Mia Mechanic", "2026-06-14", 15],
      [hostile(120), "2026-06-12", 150],
    ]);
  });

  test("an aircraft in work is in maintenance for everybody who looks, until its release names it by its serial number", async () => {
    const { owner, student, aircraftId, join } = await newSchool(stage.installation);
    const mechanic = await join(["mechanic"], "Mia Mechanic");
    const order = { aircraft_id: aircraftId, title: "Brakes", findings: "Linings replaced." };
    const { id, number } = expectStatus(201, await owner.post("/maintenance/work-orders", order)).body.data;
    const path = `/app/maintenance/work-orders/${id}`;
    const page = await stage.open({ as: mechanic, path: "/app/aircraft", now: now() });
    const row = page.getByRole("row", { name: "D-EABC" });
    // Not begun, it is against bookings already.
    await row.getByText("Not bookable").waitFor();
    expect(await row.getByText("Available").count()).toBe(0);
    await row.getByText("Brakes").waitFor();
    // Who may not see orders is not told why.
    const theirs = await stage.open({ as: student, path: "/app/aircraft", now: now() });
    const seen = theirs.getByRole("row", { name: "D-EABC" });
    await seen.getByText("Not bookable").waitFor();
    expect(await seen.getByText(/Available|Brakes/).count()).toBe(0);
    const warns = { out_of_service: "warn" };
    expectStatus(200, await owner.patch("/planning/settings", warns));
    await row.getByText("Available").waitFor();
    await row.getByText("Brakes").waitFor();
    await theirs.reload();
    await seen.getByText("Available").waitFor();
    await page.goto(new URL(path, page.url()).href);
    await page.getByText("Aircraft Available").waitFor();
    expectStatus(200, await owner.patch("/planning/settings", { out_of_service: "block" }));
    await page.getByText("Aircraft Not bookable").waitFor();
    await expectSound(page);
    await page.goto(new URL("/app/aircraft", page.url()).href);
    expectStatus(200, await owner.post(`/maintenance/work-orders/${id}/start`));
    await row.getByText("In maintenance").waitFor();
    expect(await row.getByText("Available").count()).toBe(0);
    await row.getByText("Brakes").waitFor();
    await expectSound(page);
    await page.goto(new URL(`/app/aircraft/${aircraftId}`, page.url()).href);
    await page.getByText("In maintenance", { exact: true }).waitFor();
    await expectSound(page);
    await page.goto(new URL(path, page.url()).href);
    await page.getByText(`${number} ·`).waitFor();
    const dialog = page.getByRole("dialog");
    await page.getByRole("button", { name: "Release to service" }).click();
    await dialog.getByText("The serial number of the aircraft is not recorded").waitFor();
    await expectSound(page);
    await page.keyboard.press("Escape");

    await page.goto(new URL(`/app/aircraft/${aircraftId}`, page.url()).href);
    await page.getByRole("button", { name: "Edit Details" }).click();
    await page.getByLabel("Serial number").fill("172S10482");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("S/N 172S10482").waitFor();
    await page.goto(new URL(path, page.url()).href);
    await page.getByRole("button", { name: "Release to service" }).click();
    await dialog.getByText(`${number} · D-EABC · Cessna 172S, S/N 172S10482`).waitFor();
    expect(await dialog.getByText("is not recorded").count()).toBe(0);
    await dialog.getByLabel("Approval number").fill("DE.CAO.0123");
    await dialog.getByLabel("Licence").fill("DE.66.4711");
    await dialog.getByLabel("Maintenance data").fill("AMM 32-41");
    await dialog.getByRole("button", { name: "Release" }).click();
    const certificate = page.getByRole("region", { name: "Certificate of release to service" });
    for (const said of [number, "D-EABC", "Cessna 172S", "172S10482"])
      await certificate.getByText(said, { exact: true }).waitFor();
    await expectSound(page);
    await page.goto(new URL("/app/aircraft", page.url()).href);
    await row.getByText("Available").waitFor();
  });

  test("nothing is released before the work order says what was done", async () => {
    const { owner, aircraftId, join } = await newSchool(stage.installation);
    const mechanic = await join(["mechanic"], "Mia Mechanic");
    const defect = { description: hostile(400), grounding: true };
    const reported = expectStatus(201, await owner.post(`/aircraft/${aircraftId}/defects`, defect)).body.data;
    const path = `/app/maintenance/work-orders/${reported.work_order_id}`;
    const page = await stage.open({ as: mechanic, path, width: 820, colorScheme: "dark", locale: "de-DE", now: now() });
    await page.getByText("Vor der Freigabe eintragen, was gemacht wurde").waitFor();
    expect(await page.getByRole("button", { name: "Freigeben" }).count()).toBe(0);
    await expectSound(page);
    await page.getByRole("button", { name: "Bearbeiten Befunde und Notizen" }).click();
    await page.locator("[name=findings]").fill("Bremsbeläge ersetzt.");
    await page.getByRole("button", { name: "Speichern" }).click();
    await page.getByRole("button", { name: "Freigeben" }).waitFor();
    await expectSound(page);
  });

  test("a student reports a defect with a photo from the apron, in few taps", async () => {
    const { owner, student, aircraftId } = await newSchool(stage.installation);
    const page = await stage.open({ as: student, path: "/app/today", width: 360, now: now() });
    await page.getByRole("link", { name: "Report a defect" }).click();
    await page.getByText("D-EABC").click();
    await page.getByLabel("What is wrong?").fill("Left brake drags.");
    await page.getByLabel("Take a photo").setInputFiles(photo);
    await page.getByText("Bremse.png", { exact: true }).waitFor();
    await expectSound(page);
    await page.getByRole("button", { name: "Report", exact: true }).click();
    await page.getByText("Left brake drags.").first().waitFor();
    const [defect] = expectStatus(200, await owner.get(`/aircraft/${aircraftId}/defects`)).body.data;
    expect(defect).toMatchObject({ description: "Left brake drags.", grounding: false });
    const files = await owner.get(`/aircraft/${aircraftId}/defects/${defect.id}/attachments`);
    expect(expectStatus(200, files).body.data).toMatchObject([{ filename: "Bremse.png", media_type: "image/png" }]);
    // The workshop's area is not theirs.
    expect(await page.getByRole("link", { name: "Maintenance" }).count()).toBe(0);
  });

  test("deferrals that run out stand first, and one is extended; hostile names break nothing", async () => {
    const school = await newSchool(stage.installation);
    const { owner, aircraftId } = school;
    const report = async (description: string, deferral: object) => {
      const { id } = expectStatus(201, await owner.post(`/aircraft/${aircraftId}/defects`, { description })).body.data;
      const defer = { reason: hostile(200), ...deferral };
      expectStatus(200, await owner.post(`/aircraft/${aircraftId}/defects/${id}/defer`, defer));
    };
    await report("Lamp", { until: "2026-07-14" });
    await report(hostile(300), { until: "2026-06-16" });
    await report("Radio", { hours: "2.00" });
    await add(school, { name: hostile(120), interval_months: 1, last_done_on: "2026-05-20" });
    const page = await stage.open({ as: owner, path: "/app/maintenance", colorScheme: "dark", now: now() });
    const deferrals = page.getByRole("list", { name: "Deferrals that run out" }).getByRole("listitem");
    await soon(
      async () => (await deferrals.allInnerTexts()).map((one) => /2 days|2:00 h|30 days/.exec(one)?.[0]),
      [...["2 days", "2:00 h", "30 days"]],
    );
    await expectSound(page);
    await page.getByRole("button", { name: "Extend Radio" }).click();
    const dialog = page.getByRole("dialog");
    // What was said is there already.
    await soon(() => dialog.getByLabel("Why it may fly until then").inputValue(), hostile(200));
    await dialog.getByLabel("For, hours of flight").fill("40");
    await dialog.getByLabel("Why it may fly until then").fill("The other radio works.");
    await dialog.getByRole("button", { name: "Defer" }).click();
    await page.getByText("40:00 h of flight left").waitFor();
    await page.getByRole("link", { name: "Defects" }).click();
    await page.getByLabel("Status").selectOption("deferred");
    await page.getByRole("table", { name: "Defects" }).getByText("Radio").waitFor();
    await expectSound(page);
    const phone = await stage.open({ as: owner, path: "/app/maintenance/defects?status=all", width: 360, now: now() });
    await phone.getByRole("table", { name: "Defects" }).getByText("Radio").waitFor();
    await expectSound(phone);
  });

  test("a programme is applied to an aircraft, in the school's language", async () => {
    const { owner, aircraftId } = await newSchool(stage.installation);
    const page = await stage.open({ as: owner, path: "/app/maintenance/programmes", locale: "de-DE", now: now() });
    await page.getByRole("button", { name: "Auf ein Flugzeug anwenden Flugzeug mit Kolbenmotor" }).click();
    const dialog = page.getByRole("dialog");
    await expectSound(page);
    await dialog.getByLabel("Flugzeug", { exact: true }).selectOption(aircraftId);
    // When each is due is seen before anything is added.
    const added = dialog.getByRole("list", { name: "Was dazukommt" }).getByRole("listitem");
    const [oil, inspection] = [added.filter({ hasText: "Ölwechsel" }), added.filter({ hasText: "Jahreskontrolle" })];
    await oil.getByText("sofort fällig").waitFor();
    await dialog.getByLabel("Zuletzt erledigt").fill("2024-02-29");
    await inspection.getByText("Überfällig, fällig bis 28.02.2025").waitFor();
    await inspection.getByText("über die Toleranz hinaus").waitFor();
    await dialog.getByLabel("Zuletzt erledigt").fill("2026-06-01");
    await oil.getByText("ab den Zählerständen dieses Tages").waitFor();
    await inspection.getByText("fällig bis 01.06.2027", { exact: true }).waitFor();
    await expectSound(page);
    await dialog.getByLabel("Zuletzt erledigt").fill("2025-07-01");
    await inspection.getByText("Bald fällig, fällig bis 01.07.2026").waitFor();
    // The last day of the tolerance, which the list of what is due knows as well.
    await dialog.getByLabel("Zuletzt erledigt").fill("2025-05-14");
    await inspection.getByText("Überfällig, fällig bis 14.05.2026").waitFor();
    expect(await inspection.getByText("über die Toleranz hinaus").count()).toBe(0);
    await expectSound(page);
    await dialog.getByRole("button", { name: "Auf ein Flugzeug anwenden" }).click();
    await page.getByRole("heading", { level: 1, name: "D-EABC" }).waitFor();
    await page.getByText("50-Stunden-Ölwechsel").first().waitFor();
    await expectSound(page);
    const items = expectStatus(200, await owner.get(`/maintenance/items?aircraft_id=${aircraftId}`)).body.data;
    expect(items).toHaveLength(6);
    const [applied] = items.filter(({ name }: { name: string }) => name.includes("Jahreskontrolle"));
    expect(applied).toMatchObject({ status: "overdue", due_on: "2026-05-14", past_tolerance: false });
    const once = await stage.open({ as: owner, path: "/app/maintenance/programmes", now: now() });
    await once.getByRole("button", { name: "Apply to an aircraft Sailplane" }).click();
    await once.getByRole("dialog").getByLabel("Aircraft").selectOption(aircraftId);
    const there = once.getByRole("list", { name: "What is added" }).getByRole("listitem");
    await there.filter({ hasText: "ELT battery" }).getByText("is there already").waitFor();
    expect(await there.getByText("is there already").count()).toBe(2);
    // In any language, none is added twice.
    const again = { aircraft_id: aircraftId, language: "en" };
    expect(
      expectStatus(200, await owner.post("/maintenance/templates/piston-aeroplane/apply", again)).body.data,
    ).toEqual([]);
  });
});
