/** The frame of the console: the entrance, the menu, the ways back. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { newSchool } from "../support/school.ts";
import { executablePath, expectSound, openStage, type Stage, signIn, soon } from "./browser.ts";

describe.skipIf(executablePath === null)("in Chromium", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
    // An empty installation begins with the sign-up of a school.
    await newSchool(stage.installation);
  }, 120_000);
  afterAll(() => stage.close());

  for (const colorScheme of ["light", "dark"] as const)
    for (const width of [360, 1280])
      test(`the entrance is sound at ${width} px, ${colorScheme}, in both languages`, async () => {
        const page = await stage.open({ width, colorScheme });
        await page.getByRole("heading", { name: "Sign in" }).waitFor();
        await expectSound(page);
        await page.getByLabel("Language").selectOption("de");
        await page.getByRole("heading", { name: "Anmelden" }).waitFor();
        await expectSound(page);
        await page.getByRole("link", { name: "Neue Flugschule einrichten" }).click();
        await page.getByRole("heading", { name: "Flugschule einrichten" }).waitFor();
        await expectSound(page);
      });

  test("a school signs up, and its owner is in, also after a reload", async () => {
    const page = await stage.open({ path: "/app/sign-up" });
    await page.getByLabel("Name of the school").fill("Windy Hill <b>Flight</b> School");
    await page.getByLabel("Your name").fill("Olga Lindner");
    await page.getByLabel("E-mail address").fill("olga-signs-up@example.com");
    await page.getByLabel("Password", { exact: true }).fill("correct horse battery");
    await page.keyboard.press("Enter");
    await page.getByText("Windy Hill <b>Flight</b> School").waitFor();
    await page.reload();
    await page.getByText("Windy Hill <b>Flight</b> School").waitFor();
    await page.getByRole("button", { name: "Olga Lindner" }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
  });

  test("a sign-out whose response takes long asks for nothing with the session that has ended", async () => {
    const { owner } = await newSchool(stage.installation);
    const page = await stage.open({ path: "/app/people" });
    await page.clock.install();
    const following = page.waitForResponse(/\/changes$/);
    await signIn(page, owner);
    await following;
    const held = Promise.withResolvers<void>();
    await page.route("**/auth/logout", async (route) => {
      const response = await route.fetch();
      await held.promise;
      await route.fulfill({ response });
    });
    const isStream = (request: { url(): string }) => request.url().endsWith("/changes");
    const ended = Promise.race([
      page.waitForEvent("requestfinished", isStream),
      page.waitForEvent("requestfailed", isStream),
    ]);
    await page.getByRole("button", { name: "Olga Owner" }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await ended;
    // As long as a stream waits before it connects again.
    await page.clock.fastForward(5000);
    held.resolve();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
  });

  test("a sign-out while a request is under way asks for no password, though the request is refused", async () => {
    const { owner } = await newSchool(stage.installation);
    const page = await stage.open({ as: owner, path: "/app/today", refusals: [401] });
    const [asked, ended, answered] = [0, 0, 0].map(() => Promise.withResolvers<void>());
    await page.route("**/people?**", async (route) => {
      asked?.resolve();
      await ended?.promise;
      await route.continue();
    });
    await page.route("**/auth/logout", async (route) => {
      const response = await route.fetch();
      ended?.resolve();
      await answered?.promise;
      await route.fulfill({ response });
    });
    await page.getByRole("link", { name: "People" }).click();
    await asked?.promise;
    // The refused request asks for new tokens, and gets none of an ended session.
    const again = page.getByRole("dialog", { name: "Your session has ended" });
    const refused = page.waitForResponse((response) => /\/auth\/refresh$/.test(response.url()));
    await page.getByRole("button", { name: "Olga Owner" }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await refused;
    await page.evaluate("new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)))");
    expect(await again.count()).toBe(0);
    answered?.resolve();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(await again.count()).toBe(0);
  });

  test("the bar of a phone leads to where somebody works, before what they only read", async () => {
    const school = await newSchool(stage.installation);
    const people = { owner: school.owner, student: school.student, mechanic: await school.join(["mechanic"]) };
    const bars: Record<string, string[]> = {};
    for (const [name, as] of Object.entries(people)) {
      const page = await stage.open({ as, path: "/app/today", width: 360 });
      const links = page.locator(".bottom").getByRole("link");
      await links.first().waitFor();
      bars[name] = await links.allTextContents();
      await page.close();
    }
    expect(bars).toEqual({
      owner: ["Today", "Flights", "Board"],
      student: ["Today", "Flights", "Bookings"],
      mechanic: ["Today", "Board", "Maintenance"],
    });
  });

  for (const [width, height] of [
    [740, 360],
    [568, 320],
  ] as const)
    test(`a phone held sideways has its bar at the side, at ${width} × ${height} px`, async () => {
      const { owner } = await newSchool(stage.installation);
      const page = await stage.open({ as: owner, path: "/app/today", width, height });
      const bar = page.locator(".bottom");
      expect(await bar.boundingBox()).toEqual({ x: 0, y: 0, width: 76, height });
      for (const entry of await bar.locator("> *").all())
        expect((await entry.boundingBox())?.height).toBeGreaterThanOrEqual(40);
      expect(await page.locator("main").boundingBox()).toMatchObject({ x: 76, width: width - 76 });
      await bar.getByRole("button", { name: "More" }).tap();
      await page.getByRole("dialog").getByRole("link", { name: "Compliance" }).tap();
      await page.getByRole("heading", { name: "Compliance" }).waitFor();
      await expectSound(page);
    });

  test("what is missing or wrong is said at its field, which has the focus, in the reader's language", async () => {
    const page = await stage.open({ path: "/app/sign-up", locale: "de-DE" });
    await page.getByLabel("Name der Flugschule").fill("Windy Hill");
    await page.getByRole("button", { name: "Flugschule anlegen" }).click();
    const name = page.getByLabel("Ihr Name");
    await soon(() => name.evaluate((field) => field === document.activeElement), true);
    await soon(() => name.getAttribute("aria-invalid"), "true");
    await soon(() => page.getByText("Bitte ausfüllen.").count(), 3);
    await page.getByLabel("Passwort").fill("short");
    await page.keyboard.press("Enter");
    await page.getByText("Mindestens 12 Zeichen.", { exact: true }).waitFor();
    await soon(() => page.getByLabel("Name der Flugschule").inputValue(), "Windy Hill");
  });

  test("an address below /app without a screen says so, and leads back", async () => {
    const { owner } = await newSchool(stage.installation);
    const page = await stage.open({ as: owner, path: "/app/nothing/here/%E0%A4%A" });
    await page.getByRole("heading", { name: "Not found" }).waitFor();
    await page.getByRole("link", { name: "Back" }).click();
    await page.getByRole("heading", { name: "Today" }).waitFor();
  });

  test("a screen that is still loading is not missing", async () => {
    const { owner } = await newSchool(stage.installation);
    const page = await stage.open({ path: "/app/people" });
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    const held = Promise.withResolvers<void>();
    await page.route("**/assets/**", async (route) => {
      await held.promise;
      await route.continue();
    });
    await signIn(page, owner);
    await soon(() => page.getByRole("heading", { name: "Not found" }).count(), 0);
    held.resolve();
    await page.getByRole("heading", { name: "People" }).waitFor();
  });

  test("a session that ends elsewhere asks for the password in a dialog, and the screen goes on", async () => {
    const { owner } = await newSchool(stage.installation);
    const page = await stage.open({ as: owner, path: "/app/people", refusals: [401] });
    await page.getByRole("heading", { name: "People" }).waitFor();
    await owner.call("DELETE", "/auth/sessions");
    await page.getByLabel("Function").selectOption("instructor");
    const dialog = page.getByRole("dialog", { name: "Your session has ended" });
    await dialog.getByLabel("Password").fill("correct horse battery");
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("table", { name: "People" }).waitFor();
    expect(page.url()).toContain("type=instructor");
  });

  for (const [width, height, colorScheme] of [
    [360, 800, "light"],
    [740, 360, "light"],
    [1280, 800, "dark"],
  ] as const)
    test(`a message hides nothing that is used next, at ${width} × ${height} px`, async () => {
      const school = await newSchool(stage.installation);
      for (let flights = 0; flights < 8; flights += 1) await school.submitFlight(school.student);
      // Nobody approves so soon after signing in: what a flight costs is asked for once more when the stream is open.
      const page = await stage.open({
        as: school.owner,
        width,
        height,
        colorScheme,
        path: "/app/flights/approvals",
        refusals: [409],
      });
      // On a phone, when a flight began is on one line.
      const began = await page.locator(".queue-head > *").first().boundingBox();
      expect(began?.height).toBeLessThan(width < 1000 ? 30 : 50);
      for (let approved = 1; approved <= 2; approved += 1) {
        // Not where it can be scrolled to: where it is.
        await page.getByRole("button", { name: "Approve" }).dispatchEvent("click");
        const message = page.locator(".toast").last();
        await message.getByText(/^Approved/).waitFor();
        await soon(() => page.locator(".queue-head").count(), 8 - approved);
        // On a phone the page goes on behind a message, as behind the bar below it: what has the focus is in front.
        const hidden = width < 1000 ? behindMessages("document.querySelectorAll(':focus')") : coveredByMessages;
        await soon(() => page.evaluate<string[]>(hidden), []);
        for (const name of ["Approve", "Edit"]) {
          await page.locator(".review").getByText(name, { exact: true }).focus();
          expect(await page.evaluate<string[]>(hidden)).toEqual([]);
        }
        expect(await message.getByText(/^Approved/).count()).toBe(1);
      }
      await expectSound(page);
    });
});

/** @param controls an expression of the page @returns one that says which of them are where a message is */
const behindMessages = (controls: string) => `[...document.querySelectorAll(".toast")].flatMap((toast) => {
  const message = toast.getBoundingClientRect();
  return [...${controls}]
    .filter((control) => {
      const place = control.getBoundingClientRect();
      const isBeside = place.right <= message.left || place.left >= message.right;
      return place.width > 0 && !isBeside && place.bottom > message.top && place.top < message.bottom;
    })
    .map((control) => control.textContent);
})`;

/** What can be pressed where a message is. */
const coveredByMessages = behindMessages(
  'document.querySelectorAll(":is(main, .side, .bottom) :is(a, button, input, select, textarea)")',
);
