/** The ways in, as the people have them who go them, and as somebody has them who wants to get in without being asked. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { tokenIn } from "../support/mails.ts";
import { expectStatus, newSchool, password, type School } from "../support/school.ts";
import { authenticator } from "../support/second-factor.ts";
import { executablePath, expectSound, openStage, type Stage, signIn, soon } from "./browser.ts";

const hostile = `<img src=x onerror=alert(1)> "' שלום 🛩️ ${"W".repeat(60)}`;

/** The addresses of the tab's history, and all that the page keeps: nothing secret may be in them. */
const traces = (page: Page): Promise<string> =>
  page.evaluate(
    "JSON.stringify([location.href, navigation.entries().map(({ url }) => url), document.referrer, history.state, { ...localStorage }, { ...sessionStorage }])",
  );

describe.skipIf(executablePath === null)("in Chromium", () => {
  let stage: Stage;
  let school: School;
  beforeAll(async () => {
    stage = await openStage();
    school = await newSchool(stage.installation);
  }, 120_000);
  afterAll(() => stage.close());

  const invite = async (email: string, roles = ["instructor"]): Promise<string> =>
    expectStatus(201, await school.owner.post("/invites", { email, roles })).body.data.token;
  const passwordField = (page: Page) => page.locator("input[autocomplete$=password]");

  test("an empty installation begins with the sign-up of its school, and the next visitor with the sign-in", async () => {
    const empty = await openStage();
    try {
      const page = await empty.open({ width: 360, locale: "de-DE" });
      await page.getByRole("heading", { name: "Willkommen bei Windsock" }).waitFor();
      await expectSound(page);
      await page.getByLabel("Name der Flugschule").fill(hostile);
      await page.getByLabel("Ihr Name").fill(hostile);
      await page.getByLabel("E-Mail-Adresse").fill("erste@example.com");
      await passwordField(page).fill(password);
      await page.keyboard.press("Enter");
      await page.locator(".shell h1").waitFor();
      await expectSound(page);
      const next = await empty.open();
      await next.getByRole("heading", { name: "Sign in" }).waitFor();
    } finally {
      await empty.close();
    }
  });

  test("a forgotten password is set by the link of the mail, whose token stays nowhere", async () => {
    const member = await school.join(["instructor"], "Ivo");
    const page = await stage.open();
    await page.getByRole("link", { name: "Forgot your password?" }).click();
    await page.getByRole("heading", { name: "Forgot your password?" }).waitFor();
    await expectSound(page);
    await page.keyboard.type(member.email);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Look into your mailbox" }).waitFor();
    await expectSound(page);
    const token = tokenIn(stage.installation.mails, member.email, "reset");

    const opened = await stage.open({ path: `/app/link#reset=${token}`, width: 360, colorScheme: "dark" });
    await opened.getByRole("heading", { name: "Choose a new password" }).waitFor();
    await expectSound(opened);
    expect(await traces(opened)).not.toContain(token);
    await passwordField(opened).fill(member.email);
    await opened.getByRole("button", { name: "Show the password" }).click();
    await soon(() => passwordField(opened).getAttribute("type"), "text");
    await passwordField(opened).fill("another horse entirely");
    await opened.keyboard.press("Enter");
    await opened.getByRole("heading", { name: "Your password is set" }).waitFor();
    await opened.getByRole("link", { name: "Sign in" }).click();
    await opened.getByLabel("E-mail address").fill(member.email);
    await passwordField(opened).fill("another horse entirely");
    await opened.keyboard.press("Enter");
    await opened.locator(".shell h1").waitFor();

    const again = await stage.open({ path: `/app/reset-password#token=${token}`, refusals: [409] });
    await passwordField(again).fill("a third horse entirely");
    await again.keyboard.press("Enter");
    await again.getByText("This link was already used.").waitFor();
    await again.reload();
    await again.getByRole("heading", { name: "This link is incomplete" }).waitFor();
    await expectSound(again);
  });

  test("an address is confirmed by its owner who is signed in, and by one who knows the password", async () => {
    const email = "nora@example.com";
    const signUp = { email, password, name: "Nora", organization: { name: "Nord", kind: "club" } };
    await stage.installation.call("POST", "/auth/signup-org", { body: signUp, from: "198.18.9.1" });
    const token = tokenIn(stage.installation.mails, email, "verify");

    // Somebody else's browser: the link is for another account than the one that is signed in.
    const other = await stage.open({ refusals: [400], locale: "de-DE" });
    await signIn(other, school.owner);
    await other.goto(`${stage.url}/app/verify-email#token=${token}`);
    await other.getByText(`Sie sind als ${school.owner.email} angemeldet.`).waitFor();
    await other.getByRole("button", { name: "Adresse bestätigen" }).click();
    await other.getByText("Dieser Link gehört zu einem anderen Konto").waitFor();
    await expectSound(other);
    expect(await traces(other)).not.toContain(token);

    const page = await stage.open({ as: { email } });
    await page.goto(`${stage.url}/app/verify-email#token=${token}`);
    await page.getByText(`You are signed in as ${email}.`).waitFor();
    await expectSound(page);
    await page.getByRole("button", { name: "Confirm the address" }).click();
    await page.getByRole("status").getByText("Your e-mail address is confirmed").waitFor();
    await page.locator(".shell").waitFor();
  });

  test("an invited instructor joins with a new account, by keyboard alone, on a phone, in German", async () => {
    const token = await invite("neu@example.com");
    const page = await stage.open({ path: `/app/invites#token=${token}`, width: 360, locale: "de-DE" });
    await page.getByRole("heading", { name: /^School \d+ beitreten$/ }).waitFor();
    await page.getByText("Rolle: Fluglehrer.").waitFor();
    await expectSound(page);
    expect(await traces(page)).not.toContain(token);
    await page.getByLabel("Ihr Name").focus();
    await page.keyboard.type("Lena Neu");
    await page.keyboard.press("Tab");
    await page.keyboard.type(password);
    await page.keyboard.press("Enter");
    await page.locator(".shell h1").waitFor();
    await page.reload();
    await page.locator(".shell h1").waitFor();
  });

  test("an invited address that has an account signs in to join, and another account is asked to leave first", async () => {
    const elsewhere = await newSchool(stage.installation);
    const { email } = elsewhere.owner;
    const token = await invite(email);
    const page = await stage.open({ path: `/app/invites#token=${token}`, refusals: [409] });
    await page.getByLabel("Your name").fill("Olga");
    await passwordField(page).fill(password);
    await page.keyboard.press("Enter");
    await page.getByText("already has an account. Sign in to join.").waitFor();
    await expectSound(page);
    await passwordField(page).fill(password);
    await page.keyboard.press("Enter");
    await page.locator(".shell h1").waitFor();
    const me = expectStatus(200, await elsewhere.owner.call("GET", "/auth/me")).body.data;
    expect(me.organizations.map(({ id }: { id: string }) => id)).toContain(school.orgId);

    const second = await invite("someone-else@example.com");
    await page.goto(`${stage.url}/app/invites#token=${second}`);
    await page.getByText(`You are signed in as ${email}. The invitation is for another address.`).waitFor();
    await expectSound(page);
    await page.getByRole("button", { name: "Sign out and go on" }).click();
    await page.getByLabel("Your name").waitFor();
    const stale = await stage.open({ path: `/app/invites#token=${token}`, refusals: [409] });
    await stale.getByText("This invitation was already used.").waitFor();
    await expectSound(stale);
  });

  test("an invited student's own name is there already, and joins as the person", async () => {
    const person = { name: hostile, types: ["student"], email: "schueler@example.com" };
    const { id } = expectStatus(201, await school.owner.post("/people", person)).body.data;
    const invited = expectStatus(201, await school.owner.post("/student-invites", { person_id: id })).body.data;
    const page = await stage.open({ path: `/app/student-invites#token=${invited.token}` });
    await soon(() => page.getByLabel("Your name").inputValue(), person.name);
    await expectSound(page);
    await passwordField(page).fill(password);
    await page.keyboard.press("Enter");
    await page.locator(".shell").waitFor();
    expect(expectStatus(200, await school.owner.get(`/people/${id}`)).body.data.user_id).toBeString();
  });

  test("what a link says is not shown, runs nothing, and leads nowhere else", async () => {
    const evil = "https://evil.example.com/";
    const error = `error=<img src=x onerror=alert(1)>&error_description=${encodeURIComponent("Call 0900 123")}`;
    const page = await stage.open({ path: `/app/sign-in?next=${evil}&return=${evil}&redirect_to=${evil}#${error}` });
    await page.getByText("The sign-in through the provider did not work.").waitFor();
    await soon(() => page.getByText("0900").count(), 0);
    expect(page.url()).not.toContain("#");
    await signIn(page, school.owner);
    expect(new URL(page.url()).origin).toBe(stage.url);
    await page.goto(`${stage.url}/app//evil.example.com`);
    await page.getByRole("heading", { name: "Not found" }).waitFor();
    const known = await stage.open({ path: "/app/sign-in#error=access_denied" });
    await known.getByText("The sign-in through the provider was cancelled.").waitFor();
    await expectSound(known);
  });

  test("a second factor is set up by its QR code, asks at the next sign-in and before what is dangerous, and is switched off", async () => {
    const own = await newSchool(stage.installation);
    const page = await stage.open({ as: own.owner, refusals: [401, 403], locale: "de-DE", width: 360 });
    await page.goto(`${stage.url}/app/account`);
    await page.getByRole("heading", { name: "Ihr Konto" }).waitFor();
    await expectSound(page);
    await page.getByRole("button", { name: "Einrichten" }).click();
    const image = page.getByRole("img", { name: "QR-Code" });
    await image.waitFor();
    expect(await image.evaluate<number, HTMLImageElement>(({ naturalWidth }) => naturalWidth)).toBeGreaterThan(0);
    await expectSound(page);
    const secret = ((await page.locator("dialog .mono").textContent()) ?? "").replaceAll(" ", "");
    const app = authenticator(stage.installation, secret);
    await page.getByLabel("Code", { exact: true }).fill(await app.code(-1));
    await page.keyboard.press("Enter");
    const codes = page.getByRole("dialog", { name: "Ihre Wiederherstellungscodes" }).getByRole("listitem");
    await codes.first().waitFor();
    await soon(() => codes.count(), 10);
    const recovery = (await codes.first().textContent()) ?? "";
    await expectSound(page);
    await page.keyboard.press("Escape");
    await soon(() => codes.count(), 10);
    await page.getByRole("button", { name: "Ich habe sie aufbewahrt" }).click();
    await page.getByText("Noch 10 von 10 Wiederherstellungscodes").waitFor();

    // Another device signs in with a recovery code, and needs a fresh code to remove the factor.
    const other = await stage.open({ refusals: [401, 403] });
    await other.getByLabel("E-mail address").fill(own.owner.email);
    await passwordField(other).fill(password);
    await other.keyboard.press("Enter");
    await other.getByLabel("Code", { exact: true }).fill(recovery);
    await other.keyboard.press("Enter");
    await other.locator(".shell").waitFor();
    await other.goto(`${stage.url}/app/account`);
    await other.getByText("9 of 10 recovery codes are left").waitFor();
    await other.getByRole("button", { name: "Switch off" }).click();
    await other.getByRole("dialog").getByRole("button", { name: "Switch off" }).click();
    const stepUp = other.getByRole("dialog", { name: "Confirm that it is you" });
    await stepUp.getByLabel("Code", { exact: true }).fill(await app.code());
    await other.keyboard.press("Enter");
    await other.getByText("The second factor is switched off.").waitFor();
    await expectSound(other);
  });

  test("another device is signed in by a code to scan, once, and only by somebody who says so there", async () => {
    const page = await stage.open({ locale: "de-DE" });
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await signIn(page, school.owner);
    await page.goto(`${stage.url}/app/account`);
    await page.getByRole("button", { name: "Auf anderem Gerät anmelden" }).click();
    await page.getByRole("img", { name: "QR-Code, der ein anderes Gerät anmeldet" }).waitFor();
    await expectSound(page);
    await page.getByRole("button", { name: "Link kopieren" }).click();
    await page.getByText("Kopiert", { exact: true }).waitFor();
    const link: string = await page.evaluate("navigator.clipboard.readText()");

    const phone = await stage.open({ width: 360, colorScheme: "dark" });
    await phone.goto(link);
    await phone.getByRole("heading", { name: "Sign in on this device" }).waitFor();
    await expectSound(phone);
    expect(await traces(phone)).not.toContain(link.split("=")[1]);
    await phone.locator("main button").first().focus();
    await phone.keyboard.press("Enter");
    await phone.getByText(/^You are signed in as /).waitFor();
    await phone.locator(".shell h1").waitFor();
    await phone.reload();
    await phone.locator(".shell h1").waitFor();

    const late = await stage.open({ width: 360, refusals: [401] });
    await late.goto(link);
    await late.getByRole("button", { name: "Sign in" }).click();
    await late.getByRole("heading", { name: "The code is no longer valid." }).waitFor();
    await expectSound(late);

    const other = await stage.open();
    await signIn(other, (await newSchool(stage.installation)).owner);
    await other.goto(link);
    await other.getByText(/^You are signed in as .* on this device\.$/).waitFor();
    await soon(() => other.getByRole("button", { name: "Sign in" }).count(), 0);
  });

  test("devices are listed and signed out, one or all; the password is changed", async () => {
    const own = await newSchool(stage.installation);
    const page = await stage.open({ as: own.owner, refusals: [401], colorScheme: "dark" });
    const other = await stage.open({ refusals: [401] });
    await signIn(other, own.owner);
    await page.goto(`${stage.url}/app/account`);
    const devices = page.getByRole("list", { name: "Devices" }).getByRole("listitem");
    await devices.first().waitFor();
    await soon(() => devices.count(), 3);
    await page.getByRole("button", { name: "Sign out Chrome · Linux" }).click();
    await page.getByText("Chrome · Linux is signed out.").waitFor();
    await soon(() => devices.count(), 2);
    await expectSound(page);
    await page.getByLabel("Your name").fill("Olga Sommer");
    await page.keyboard.press("Enter");
    await page.getByText("Your profile is saved.").waitFor();
    await page.getByRole("button", { name: "Olga Sommer" }).waitFor();
    await page.getByLabel("Current password").fill("not the password");
    await page.getByLabel("New password").fill("another horse entirely");
    await page.keyboard.press("Enter");
    await page.getByText("The current password is wrong.").waitFor();
    await page.getByLabel("Current password").fill(password);
    await page.keyboard.press("Enter");
    await page.getByText("Your password is changed.").waitFor();
    await page.getByText("Chrome · Linux", { exact: true }).waitFor();
    await soon(() => devices.count(), 1);
    await page.getByLabel("Invoices and payments").uncheck();
    await page.getByRole("button", { name: "Sign out everywhere" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await page.getByLabel("E-mail address").fill(own.owner.email);
    await passwordField(page).fill("another horse entirely");
    await page.keyboard.press("Enter");
    await soon(() => page.getByLabel("Invoices and payments").isChecked(), false);
    await soon(() => page.getByLabel("My bookings").isChecked(), true);
  });

  test("an owner changes the school, its members' roles and its invites; a member sees no button for it", async () => {
    const own = await newSchool(stage.installation);
    const page = await stage.open({ as: own.owner, width: 360 });
    await page.goto(`${stage.url}/app/settings`);
    await page.getByLabel("Name of the school").fill(hostile);
    await page.getByLabel("Home aerodrome").fill("edfe");
    await page.getByLabel("Time zone").selectOption("Europe/Vienna");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.").waitFor();
    await expectSound(page);
    expect((await own.owner.get("")).body.data).toMatchObject({
      ...{ name: hostile, home_icao: "EDFE", time_zone: "Europe/Vienna" },
    });

    await page.getByRole("link", { name: "Members" }).click();
    await page.getByRole("table", { name: "Members" }).waitFor();
    await expectSound(page);
    const instructor = (await own.owner.get("/members")).body.data.find(
      ({ user_id }: { user_id: string }) => user_id === own.instructor.userId,
    );
    await page.getByRole("button", { name: `Edit ${instructor.name}` }).click();
    await expectSound(page);
    await page.getByLabel("Mechanic").check();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText(`The roles of ${instructor.name} are changed.`).waitFor();
    await page.getByRole("cell", { name: "Instructor, Mechanic" }).waitFor();

    await page.getByRole("button", { name: "Invite" }).click();
    await page.getByLabel("E-mail address").fill("gerda@example.com");
    await page.keyboard.press("Enter");
    await page.getByText("An invite is on its way to gerda@example.com.").waitFor();
    await page.getByRole("link", { name: "Invites" }).click();
    await page.getByRole("rowheader", { name: "gerda@example.com" }).waitFor();
    await expectSound(page);
    await page.getByRole("button", { name: "Withdraw gerda@example.com" }).click();
    await page.getByRole("cell", { name: "Withdrawn" }).waitFor();

    const member = await stage.open({ locale: "de-DE", colorScheme: "dark" });
    await signIn(member, own.student);
    await soon(() => member.getByRole("link", { name: "Einstellungen" }).count(), 0);
    await member.goto(`${stage.url}/app/settings/members`);
    await member.getByRole("heading", { name: "Nicht gefunden" }).waitFor();
    await member.goto(`${stage.url}/app/settings`);
    await member.getByText("Ändern können das Inhaber und Verwaltung.").waitFor();
    await soon(() => member.getByRole("button", { name: "Speichern" }).count(), 0);
    await expectSound(member);
  });

  test("where no mail is sent, an invite's link is shown once, to be handed on", async () => {
    const silent = await openStage({ mail: false });
    try {
      const own = await newSchool(silent.installation);
      const page = await silent.open();
      await page.getByRole("link", { name: "Forgot your password?" }).click();
      await page.getByText("This installation sends no mail.").waitFor();
      await page.goto(silent.url);
      await signIn(page, own.owner);
      await page.goto(`${silent.url}/app/settings/invites?kind=students`);
      const person = { name: "Mia Berg", types: ["student"], email: "mia@example.com" };
      expectStatus(201, await own.owner.post("/people", person));
      await page.getByRole("button", { name: "Invite a student" }).click();
      await page.getByLabel("Student", { exact: true }).selectOption("Mia Berg");
      await page.getByRole("dialog").getByRole("button", { name: "Invite" }).click();
      const link = (await page.getByText("/app/student-invites#token=").textContent()) ?? "";
      await expectSound(page);
      const guest = await silent.open();
      await guest.goto(link);
      await soon(() => guest.getByLabel("Your name").inputValue(), "Mia Berg");
    } finally {
      await silent.close();
    }
  });
});
