/** People in the console: the list, a person's page, an import. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { expectStatus, newSchool } from "../support/school.ts";
import { executablePath, expectSound, openStage, type Stage, signIn, soon } from "./browser.ts";
import { tabTo } from "./keys.ts";

const fileOf = (name: string, content: string) => ({ name, mimeType: "text/csv", buffer: Buffer.from(content) });

describe.skipIf(executablePath === null)("in Chromium", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  }, 120_000);
  afterAll(() => stage.close());

  test("the office finds a person by a part of the name, changes the telephone number in place, and takes it back", async () => {
    const { owner, student } = await newSchool(stage.installation);
    const person = () => owner.get(`/people/${student.personId}`).then((answer) => expectStatus(200, answer).body.data);
    const page = await stage.open({ as: owner, path: "/app/people" });
    await page.getByLabel("Search").fill("stud");
    await page.getByRole("link", { name: "Ines Instructor" }).waitFor({ state: "detached" });
    expect(page.url()).toContain("q=stud");
    await expectSound(page);
    await page.getByRole("link", { name: "Sam Student" }).click();
    await page.getByRole("heading", { name: "Sam Student" }).waitFor();
    await page.getByText("Medical certificate").first().waitFor();
    await page.getByRole("heading", { name: "Logbook" }).waitFor();
    await page.getByText("No flight in the last 90 days.").waitFor();
    await expectSound(page);

    const focused = await page.getByRole("button", { name: "Edit Contact" }).evaluate(async (button: HTMLElement) => {
      button.click();
      // Before the browser paints: a key that is pressed at once belongs to the form.
      await new Promise((next) => setTimeout(next));
      return document.activeElement?.getAttribute("name");
    });
    expect(focused).toBe("name");
    await page.getByLabel("Telephone").fill("+49 171 1234567");
    await page.getByLabel("E-mail address").fill("nobody");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Enter an e-mail address, such as").waitFor();
    await expectSound(page);
    await page.getByLabel("E-mail address").fill("sam@new.example");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("link", { name: "+49 171 1234567" }).waitFor();
    await soon(() => page.evaluate(() => document.activeElement?.textContent), "Edit Contact");
    expect(await person()).toMatchObject({ phone: "+49 171 1234567", email: "sam@new.example", name: "Sam Student" });
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("link", { name: "+49 171 1234567" }).waitFor({ state: "detached" });
    expect(await person()).toMatchObject({ phone: null, email: student.email });
  });

  test("a person's page says what they lack for a revalidation, to the office and to themselves", async () => {
    const { owner, student, instructor } = await newSchool(stage.installation);
    const rating = { person_id: student.personId, type: "sep", issued_on: "2025-01-01", valid_until: "2026-08-31" };
    expectStatus(201, await owner.post("/compliance/records", rating));
    const now = stage.installation.clock.now();
    const desk = await stage.open({ as: owner, path: `/app/people/${student.personId}`, now });
    const section = desk.getByRole("region", { name: "Revalidation" });
    await section.getByText("SEP by experience").waitFor();
    await section.getByText("Flight time: 0:00 of 12:00").waitFor();
    await expectSound(desk);
    await desk.goto(`${stage.url}/app/people/${instructor.personId}`);
    await desk.getByRole("heading", { name: "Logbook" }).waitFor();
    await soon(() => section.count(), 0);
    const phone = { width: 360, locale: "de-DE", colorScheme: "dark", now } as const;
    const page = await stage.open({ as: student, path: "/app/myself", ...phone });
    await page.getByRole("region", { name: "Verlängerung" }).getByText("Flugzeit: 0:00 von 12:00").waitFor();
    await expectSound(page);
  });

  test("the head of a column sorts the list, the other way round at the second time, and the address keeps it", async () => {
    const { owner } = await newSchool(stage.installation);
    const page = await stage.open({ as: owner, path: "/app/people" });
    const names = () => page.locator("tbody th").allTextContents();
    const all = ["Ines Instructor", "Olga Owner", "Sam Student"];
    await soon(names, all);
    const head = page.getByRole("columnheader", { name: "Name" });
    expect(await head.getAttribute("aria-sort")).toBe("ascending");
    await head.getByRole("link").click();
    await soon(names, all.toReversed());
    expect(await head.getAttribute("aria-sort")).toBe("descending");
    expect(page.url()).toContain("order=-name");
    await page.reload();
    await soon(names, all.toReversed());
    await expectSound(page);
    await page.getByRole("columnheader", { name: "Added" }).getByRole("link").focus();
    await page.keyboard.press("Enter");
    await soon(async () => page.url().includes("order=-created_at"), true);
    await soon(() => head.getAttribute("aria-sort"), null);
  });

  test("a person is archived and comes back, by the keyboard alone, in German on a phone", async () => {
    const { owner, student } = await newSchool(stage.installation);
    const status = () => owner.get(`/people/${student.personId}`).then(({ body }) => body.data.status);
    const page = await stage.open({
      as: owner,
      path: `/app/people/${student.personId}`,
      width: 360,
      colorScheme: "dark",
      locale: "de-DE",
    });
    await page.getByText("Tauglichkeitszeugnis").first().waitFor();
    await page.getByText("Fehlt").waitFor();
    await expectSound(page);
    await tabTo(page, "Archivieren");
    await page.keyboard.press("Enter");
    await page.getByText("Für Änderungen erst wiederherstellen").waitFor();
    expect(await status()).toBe("archived");
    await soon(() => page.getByRole("button", { name: "Bearbeiten" }).count(), 0);
    await expectSound(page);
    await tabTo(page, "Rückgängig");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Archivieren" }).waitFor();
    expect(await status()).toBe("active");

    await tabTo(page, "Daten löschen …");
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.getByText("10 Jahre nach dem Ende des Jahres (§ 147 AO)").waitFor();
    await expectSound(page);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  });

  test("who walks in to rent is added by the keyboard alone, and invited on their page, which opens by itself", async () => {
    const { owner } = await newSchool(stage.installation);
    const page = await stage.open({ as: owner, path: "/app/people" });
    await page.getByRole("link", { name: "Sam Student" }).waitFor();
    await tabTo(page, "Add a person");
    await page.keyboard.press("Enter");
    await page.locator("dialog [name=name]:focus").waitFor();
    await page.keyboard.type("Rita Renter");
    await page.keyboard.press("Tab");
    await page.keyboard.type("Pilot");
    await page.keyboard.press("Tab");
    await page.keyboard.type("rita@new.example");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Rita Renter" }).waitFor();
    await page.getByText("Has no account yet.").waitFor();
    await tabTo(page, "Invite");
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Invite" });
    expect(await dialog.getByLabel("E-mail address").inputValue()).toBe("rita@new.example");
    await soon(() => dialog.getByRole("checkbox", { name: "Student" }).isChecked(), true);
    await expectSound(page);
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    expect((await owner.get("/invites?status=open")).body.data).toMatchObject([
      { email: "rita@new.example", roles: ["student"] },
    ]);
  });

  test("an account that joined by another invite is linked to the person with its address, in German on a phone", async () => {
    const { owner, join } = await newSchool(stage.installation);
    const { personId: id } = await join(["student"], "Rita Renter");
    expectStatus(200, await owner.patch(`/people/${id}`, { user_id: null }));
    const phone = { width: 360, colorScheme: "dark", locale: "de-DE" } as const;
    const page = await stage.open({ as: owner, path: `/app/people/${id}`, ...phone });
    const login = page.getByRole("region", { name: "Benutzerkonto" });
    await login.getByText("Rita Renter ist mit dieser E-Mail-Adresse Mitglied.").waitFor();
    await expectSound(page);
    await login.getByRole("button", { name: "Konto verknüpfen" }).click();
    await login.getByText("Flugschüler").waitFor();
    expect(expectStatus(200, await owner.get(`/people/${id}`)).body.data.user_id).not.toBeNull();
  });

  test("a line of the logbook leads to its flight", async () => {
    const { owner, student, instructor, submitFlight } = await newSchool(stage.installation);
    const { id } = await submitFlight(student);
    expectStatus(200, await instructor.post(`/flights/${id}/approve`));
    const now = stage.installation.clock.now();
    const page = await stage.open({ as: owner, path: `/app/people/${student.personId}`, now });
    await page.getByRole("region", { name: "Logbook" }).getByRole("link", { name: "D-EABC" }).click();
    await page.waitForURL(`**/app/flights/${id}`);
    await page.getByRole("heading", { name: "D-EABC" }).waitFor();
  });

  test("an erasure that the law forbids is refused with the last day on which records are kept, in German", async () => {
    const { owner, instructor, submitFlight } = await newSchool(stage.installation);
    const added = await owner.post("/people", { name: "Tom Stein", types: ["pilot"] });
    const { id } = expectStatus(201, added).body.data;
    const flight = await submitFlight(instructor, { body: { crew: [{ person_id: id, function: "solo" }] } });
    expectStatus(200, await instructor.post(`/flights/${flight.id}/approve`));
    const page = await stage.open({ as: owner, path: `/app/people/${id}`, locale: "de-DE", refusals: [409] });
    await page.getByRole("button", { name: "Daten löschen" }).click();
    await page.getByLabel("Zur Bestätigung den Namen eingeben").fill("Tom Stein");
    await page.getByRole("button", { name: "Endgültig löschen" }).click();
    await page.getByText(/bis zum \d\d\.\d\d\.\d{4} aufbewahren/).waitFor();
    await expectSound(page);
  });

  test("who asks for an erasure must type the name, and is told why it is refused", async () => {
    const { owner, student } = await newSchool(stage.installation);
    const added = await owner.post("/people", { name: "Tom Stein", types: ["student"] });
    const { id } = expectStatus(201, added).body.data;
    const page = await stage.open({ as: owner, path: `/app/people/${student.personId}`, refusals: [409] });
    const erase = async (name: string) => {
      await page.getByRole("button", { name: "Erase data" }).click();
      await page.getByLabel("Type the name to confirm").fill("Somebody Else");
      await page.getByRole("button", { name: "Erase for good" }).click();
      await page.getByText("This is not the name.").waitFor();
      await page.getByLabel("Type the name to confirm").fill(name);
      await page.getByRole("button", { name: "Erase for good" }).click();
    };
    await erase("Sam Student");
    await page.getByText("Remove the member first.").waitFor();
    await expectSound(page);
    expect(expectStatus(200, await owner.get(`/people/${student.personId}`)).body.data.name).toBe("Sam Student");

    await page.goto(`${stage.url}/app/people/${id}`);
    await page.getByRole("heading", { name: "Tom Stein" }).waitFor();
    await erase("Tom Stein");
    await page.getByText("The personal data was erased on").waitFor();
    expect(expectStatus(200, await owner.get(`/people/${id}`)).body.data.name).toBe("Erased person");
  });

  test("the faults of a CSV file stand in its cells, where they are mended; then all lines are imported", async () => {
    const { owner } = await newSchool(stage.installation);
    const page = await stage.open({ as: owner, path: "/app/people" });
    await page.getByRole("link", { name: "Import" }).click();
    const people = "name;email;types\nClara Vogt;clara@example;instructor\n<b>Tom</b>;tom@new.example;student\n";
    await page.getByLabel("Choose a CSV file").setInputFiles(fileOf("people.csv", people));
    await page.getByText("1 fault").waitFor();
    await expectSound(page);
    await soon(() => page.getByRole("button", { name: /^Import \d/ }).count(), 0);
    await page.getByLabel("email, Line 2").fill("clara@new.example");
    await page.keyboard.press("Tab");
    await page.getByText("2 new").waitFor();
    await page.getByText("<b>Tom</b>").waitFor();
    expect((await owner.get("/people?q=Clara")).body.data).toEqual([]);
    await page.getByRole("button", { name: "Import 2 lines" }).click();
    await page.getByRole("link", { name: "Clara Vogt" }).waitFor();
    expect((await owner.get("/people?q=Clara")).body.data).toMatchObject([{ email: "clara@new.example" }]);
  });

  test("the file of a German spreadsheet is imported with its headings, its words and its umlauts", async () => {
    const { owner } = await newSchool(stage.installation);
    const page = await stage.open({ as: owner, path: "/app/people", locale: "de-DE" });
    await page.getByRole("link", { name: "Importieren" }).click();
    const people =
      "Name;Funktion;E-Mail\r\nKäthe Süß;Flugschülerin;kaethe@web\r\nDörte Ähle;Pilotin;doerte@new.example\r\n";
    const file = { name: "Mitglieder.csv", mimeType: "text/csv", buffer: Buffer.from(people, "latin1") };
    await page.getByLabel("CSV-Datei auswählen").setInputFiles(file);
    await page.getByText("1 Fehler").waitFor();
    await page.getByLabel("email, Zeile 2").fill("kaethe@new.example");
    await page.keyboard.press("Tab");
    await page.getByRole("button", { name: "2 Zeilen importieren" }).click();
    await page.getByRole("link", { name: "Käthe Süß" }).waitFor();
    expect((await owner.get("/people?q=Käthe")).body.data).toMatchObject([
      { name: "Käthe Süß", types: ["student"], email: "kaethe@new.example" },
    ]);
  });

  test("a student sees their own page, and no button that is not theirs", async () => {
    const { student, instructor } = await newSchool(stage.installation);
    const page = await stage.open({ as: student, width: 360, path: "/app/myself", refusals: [404] });
    await page.getByRole("heading", { name: "Sam Student" }).waitFor();
    await page.getByRole("heading", { name: "Account", exact: true }).waitFor();
    await page.getByRole("heading", { name: "Training" }).waitFor();
    await page.getByRole("button", { name: "Download all data" }).waitFor();
    await expectSound(page);
    for (const name of ["Edit Contact", "Archive", "Erase data…"])
      await soon(() => page.getByRole("button", { name }).count(), 0);
    const file = page.waitForEvent("download");
    await page.getByRole("button", { name: "PDF" }).click();
    expect((await file).suggestedFilename()).toMatch(/logbook\.pdf$/);
    await page.goto(`${stage.url}/app/people/${instructor.personId}`);
    await page.getByText("This does not exist, or you may not see it.").first().waitFor();
  });

  test("a person's page is loaded in three round trips", async () => {
    const { owner } = await newSchool(stage.installation);
    const page = await stage.open({ path: "/app/people" });
    let count = 0;
    page.on("request", (request) => {
      if (request.url().includes("/orgs/")) count += 1;
    });
    /** Returns when no request has come for a while. */
    const settle = async () => {
      for (let seen = -1; seen !== count; await page.waitForTimeout(700)) seen = count;
    };
    await signIn(page, owner);
    await page.getByRole("link", { name: "Sam Student" }).waitFor();
    // The stream of changes has begun, and what is shown was loaded anew.
    await settle();
    count = 0;
    let waiting: (() => void)[] = [];
    await page.route("**/orgs/**", async (route) => {
      await new Promise<void>((go) => waiting.push(go));
      await route.continue();
    });
    await page.getByRole("link", { name: "Sam Student" }).click();
    // All wait: what comes after them may have waited for them.
    let rounds = 0;
    for (let isDone = false; !isDone; ) {
      await settle();
      isDone = rounds > 0 && waiting.length === 0;
      if (waiting.length > 0) rounds += 1;
      const round = waiting;
      waiting = [];
      for (const go of round) go();
    }
    await page.getByText("Not enrolled in a programme.").waitFor();
    expect(count).toBeGreaterThan(5);
    expect(rounds).toBeLessThanOrEqual(3);
  });

  test("a name of markup, or as long as it may be, breaks nothing", async () => {
    const { owner } = await newSchool(stage.installation);
    const name = `<img src=x onerror=alert(1)> שלום ${"W".repeat(80)} 🛩️`;
    const body = { name, types: ["student"], street: "W".repeat(200), ratings: ["W".repeat(40)] };
    const { id } = expectStatus(201, await owner.post("/people", body)).body.data;
    for (const width of [360, 1280]) {
      const page = await stage.open({ as: owner, width, path: "/app/people" });
      await page.getByRole("link", { name: "onerror" }).waitFor();
      await expectSound(page);
      await page.goto(`${stage.url}/app/people/${id}`);
      await page.getByRole("heading", { name: "onerror" }).waitFor();
      await expectSound(page);
    }
  });
});
