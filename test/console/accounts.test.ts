/** The ways in, as the people have them who go them, and as somebody has them who wants to get in without being asked. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { tokenIn } from "../support/mails.ts";
import { expectStatus, newSchool, password, type School } from "../support/school.ts";
import { executablePath, expectSound, openStage, type Stage, signIn } from "./browser.ts";

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
      await page.getByRole("heading", { name: "Personen" }).waitFor();
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

    const opened = await stage.open({ path: `/app/reset-password#token=${token}`, width: 360, colorScheme: "dark" });
    await opened.getByRole("heading", { name: "Choose a new password" }).waitFor();
    await expectSound(opened);
    expect(await traces(opened)).not.toContain(token);
    await passwordField(opened).fill(member.email);
    await opened.getByRole("button", { name: "Show the password" }).click();
    expect(await passwordField(opened).getAttribute("type")).toBe("text");
    await passwordField(opened).fill("another horse entirely");
    await opened.keyboard.press("Enter");
    await opened.getByRole("heading", { name: "Your password is set" }).waitFor();
    await opened.getByRole("link", { name: "Sign in" }).click();
    await opened.getByLabel("E-mail address").fill(member.email);
    await passwordField(opened).fill("another horse entirely");
    await opened.keyboard.press("Enter");
    await opened.getByRole("heading", { name: "People" }).waitFor();

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

    const page = await stage.open();
    await signIn(page, { email });
    await page.goto(`${stage.url}/app/verify-email#token=${token}`);
    await page.getByText(`You are signed in as ${email}.`).waitFor();
    await expectSound(page);
    await page.getByRole("button", { name: "Confirm the address" }).click();
    await page.getByRole("status").getByText("Your e-mail address is confirmed").waitFor();
    expect(new URL(page.url()).pathname).toBe("/app/people");
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
    await page.getByRole("heading", { name: "Personen" }).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "Personen" }).waitFor();
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
    await page.getByRole("heading", { name: "People" }).waitFor();
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
    expect(await page.getByLabel("Your name").inputValue()).toBe(person.name);
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
    expect(await page.getByText("0900").count()).toBe(0);
    expect(page.url()).not.toContain("#");
    await signIn(page, school.owner);
    expect(new URL(page.url()).origin).toBe(stage.url);
    await page.goto(`${stage.url}/app//evil.example.com`);
    await page.getByRole("heading", { name: "Not found" }).waitFor();
    const known = await stage.open({ path: "/app/sign-in#error=access_denied" });
    await known.getByText("The sign-in through the provider was cancelled.").waitFor();
    await expectSound(known);
  });
});
