/** The way in through a provider: a real one, with a page of its own, and a browser that leaves for it and comes back. */
import { afterAll, beforeAll, describe, test } from "bun:test";
import type { Page } from "playwright-core";
import { TestClock } from "../support/clock.ts";
import { environment, newRealProvider } from "../support/oidc.ts";
import { newSchool, type School } from "../support/school.ts";
import { executablePath, expectSound, openStage, type Stage } from "./browser.ts";

const olga = { sub: "olga", email: "olga@provider.example", email_verified: true, name: "Olga at the provider" };
const stranger = { sub: "stranger", email: "stranger@provider.example", email_verified: true, name: "A Stranger" };

describe.skipIf(executablePath === null)("in Chromium", () => {
  let stage: Stage;
  let school: School;
  /** Has the address of a member, who has not linked it. */
  const double = { sub: "double", email: "", email_verified: true };
  beforeAll(async () => {
    stage = await openStage({
      // The provider dates its tokens by the wall clock.
      clock: new TestClock(new Date().toISOString()),
      async env(url) {
        const users = [olga, stranger, double];
        const { issuer } = await newRealProvider({ redirectUri: `${url}/auth/oauth/callback`, users });
        const pages = `${url}/app/sign-in,${url}/app/account`;
        return { ...environment(issuer), WINDSOCK_PUBLIC_URL: url, WINDSOCK_OAUTH_REDIRECTS: pages };
      },
    });
    school = await newSchool(stage.installation);
    double.email = school.owner.email;
  }, 120_000);
  afterAll(() => stage.close());

  async function signInAtProvider(page: Page, account: string): Promise<void> {
    await page.getByRole("heading", { name: "Sign in to the provider" }).waitFor();
    await page.getByLabel("Account").fill(account);
    await page.getByRole("button", { name: "Continue" }).click();
  }

  test("a member links the provider, comes in through it, and unlinks it", async () => {
    const page = await stage.open({ as: school.owner });
    await page.goto(`${stage.url}/app/account`);
    const linked = page.getByRole("region", { name: "Linked providers" });
    await linked.getByText("Not linked").waitFor();
    await expectSound(page);
    await linked.getByRole("button", { name: "Link", exact: true }).click();
    await signInAtProvider(page, olga.sub);
    await linked.getByText(/^Linked on/).waitFor();
    await expectSound(page);

    // On another device she comes in, where she wanted to be.
    const other = await stage.open({ path: "/app/people", width: 360, locale: "de-DE" });
    await other.getByRole("button", { name: "Mit Google anmelden" }).click();
    await signInAtProvider(other, olga.sub);
    await other.getByRole("heading", { name: "Personen" }).waitFor();
    await expectSound(other);

    await linked.getByRole("button", { name: "Unlink" }).click();
    await page.getByText("Google is no longer linked.").waitFor();
    await linked.getByText("Not linked").waitFor();
  });

  test("who gives up at the provider is back at the sign-in, which says so", async () => {
    const page = await stage.open();
    await page.getByRole("button", { name: "Sign in with Google" }).click();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByText("The sign-in through the provider was cancelled.").waitFor();
    await expectSound(page);
  });

  test("an address that has an account here is no way into it", async () => {
    const page = await stage.open({ locale: "de-DE", width: 360, colorScheme: "dark" });
    await page.getByRole("button", { name: "Mit Google anmelden" }).click();
    await signInAtProvider(page, double.sub);
    await page.getByText(/gibt es hier ein Konto/).waitFor();
    await expectSound(page);
  });

  test("a stranger comes in to an account without a school, and sees nothing of any", async () => {
    const page = await stage.open({ width: 360 });
    await page.getByRole("button", { name: "Sign in with Google" }).click();
    await signInAtProvider(page, stranger.sub);
    await page.getByText("Your account belongs to no school yet.").waitFor();
    await expectSound(page);
    await page.screenshot({ path: "/tmp/frame_stranger.png" });
    await page.goto(`${stage.url}/app/people`);
    await page.getByRole("heading", { name: "Not found" }).waitFor();
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("link", { name: "Your account" }).click();
    await page.getByText("Your account belongs to no school yet.").waitFor();
  });

  test("an account of the provider that is linked elsewhere is refused, at the page where it was asked for", async () => {
    const member = await school.join(["instructor"], "Ivo");
    const page = await stage.open({ as: member, path: "/app/account" });
    const linked = page.getByRole("region", { name: "Linked providers" });
    await linked.getByRole("button", { name: "Link", exact: true }).click();
    await signInAtProvider(page, stranger.sub);
    await page.getByText("This account of the provider is linked to another account here.").waitFor();
    await expectSound(page);
    await linked.getByText("Not linked").waitFor();
  });
});
