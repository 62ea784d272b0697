/** Money at the desk and on a student's phone: invoices and payments. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { completeBuyer, headset, newInvoice, newSellingSchool, sendInvoice } from "../support/money.ts";
import { expectStatus, newSchool, type School } from "../support/school.ts";
import { executablePath, expectSound, openStage, type Stage, soon } from "./browser.ts";
import { tabTo } from "./keys.ts";

const german = { width: 360, colorScheme: "dark", locale: "de-DE" } as const;

describe.skipIf(executablePath === null)("in Chromium", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  }, 120_000);
  afterAll(() => stage.close());

  const now = () => stage.installation.clock.now();
  const invoicesOf = async ({ owner, student }: School) =>
    expectStatus(200, await owner.get(`/finance/invoices?person_id=${student.personId}`)).body.data;
  const paymentsOf = async ({ owner, student }: School) =>
    expectStatus(200, await owner.get(`/finance/payments?person_id=${student.personId}`)).body.data;

  test("the office invoices what is open, sends it, and takes the money", async () => {
    const school = await newSellingSchool(stage.installation);
    const { owner, student } = school;
    const charge = { person_id: student.personId, ...headset, on: "2026-06-01" };
    expectStatus(201, await owner.post("/finance/charges", charge));
    const page = await stage.open({ as: owner, path: `/app/people/${student.personId}`, now: now() });
    const account = page.getByRole("region", { name: "Account", exact: true });
    await account.getByText("Not yet invoiced: €11.90").waitFor();
    await expectSound(page);
    await account.getByRole("button", { name: "Invoice it" }).click();
    await page.getByRole("heading", { name: "Draft of an invoice" }).waitFor();
    await page.getByRole("region", { name: "Lines" }).getByText(headset.description).waitFor();
    await soon(() => page.getByRole("button", { name: "PDF" }).count(), 0);
    await expectSound(page);

    await page.getByRole("button", { name: "Send" }).click();
    await page.getByRole("dialog").getByText("It gets its number and its day, and Sam Student").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Send" }).click();
    const [{ number }] = await untilSent(school);
    await page.getByRole("heading", { name: `Invoice ${number}` }).waitFor();
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "PDF" }).click(),
    ]);
    expect(file.suggestedFilename()).toBe(`Invoice ${number}.pdf`);

    await page.getByRole("button", { name: "Take a payment" }).click();
    const dialog = page.getByRole("dialog", { name: "Payment of Sam Student" });
    await soon(() => dialog.getByLabel("Amount").inputValue(), "11.90");
    await expectSound(page);
    await dialog.getByLabel("Amount").fill("20.00");
    await dialog.getByLabel("How").selectOption("Card");
    await dialog.getByRole("button", { name: "Enter the payment" }).click();
    await page.getByText("€20.00 was entered.").waitFor();
    await page.getByText("Paid", { exact: true }).first().waitFor();
    await soon(() => page.getByRole("button", { name: "Cancel it" }).count(), 0);
    await expectSound(page);
    expect(await paymentsOf(school)).toMatchObject([
      { amount_minor: 2000, allocated_minor: 1190, on_account_minor: 810, method: "card" },
    ]);
    await page.getByRole("link", { name: "Sam Student" }).click();
    await account.getByText(`Card · for ${number} · €8.10 on account`).waitFor();
    await soon(() => account.getByRole("button", { name: "Invoice it" }).count(), 0);
  });

  /** The page follows what the server has done. */
  async function untilSent(school: School) {
    await soon(async () => (await invoicesOf(school))[0]?.status, "sent");
    return invoicesOf(school);
  }

  test("a payment on account is taken by the keyboard alone, in German on a phone", async () => {
    const school = await newSellingSchool(stage.installation);
    const { owner, student } = school;
    const page = await stage.open({ as: owner, path: `/app/people/${student.personId}`, now: now(), ...german });
    await page.getByRole("button", { name: "Zahlung eintragen" }).waitFor();
    await tabTo(page, "Zahlung eintragen");
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Zahlung von Sam Student" });
    await dialog.getByLabel("Betrag").waitFor();
    await soon(() => page.evaluate(() => document.activeElement?.getAttribute("name")), "amount_minor");
    await page.keyboard.press("Enter");
    await dialog.getByText("Bitte ausfüllen.").waitFor();
    await expectSound(page);
    await page.keyboard.type("75,50");
    await page.keyboard.press("Enter");
    const account = page.getByRole("region", { name: "Kundenkonto" });
    await account.getByText("Bar · 75,50 € Guthaben").waitFor();
    await expectSound(page);
    expect(await paymentsOf(school)).toMatchObject([{ amount_minor: 7550, on_account_minor: 7550, method: "cash" }]);
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      account.getByRole("button", { name: "Kontoauszug" }).click(),
    ]);
    expect(file.suggestedFilename()).toEndWith(".pdf");
  });

  test("a draft is discarded, and what was sent is cancelled, each with a reason, by keyboard", async () => {
    const school = await newSellingSchool(stage.installation);
    const draft = await newInvoice(school);
    const page = await stage.open({ as: school.owner, path: `/app/money/invoices/${draft.id}`, now: now() });
    await page.getByRole("heading", { name: "Draft of an invoice" }).waitFor();
    await tabTo(page, "Discard");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").getByLabel("Reason").waitFor();
    await page.keyboard.type("The wrong person.");
    await page.getByRole("dialog").getByRole("button", { name: "Discard" }).focus();
    await page.keyboard.press("Enter");
    await page.getByText("The wrong person.").waitFor();
    await expectSound(page);

    const invoice = await sendInvoice(school, await newInvoice(school));
    await page.goto(`${stage.url}/app/money/invoices/${invoice.id}`);
    await page.getByRole("button", { name: "Cancel it" }).waitFor();
    await tabTo(page, "Cancel it");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").getByLabel("Reason").waitFor();
    await page.keyboard.type("Paid by the club.");
    await page.getByRole("dialog").getByRole("button", { name: "Cancel it" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Cancellation" }).waitFor();
    await expectSound(page);
    const found = await invoicesOf(school);
    expect(found.map(({ status, kind }: { status: string; kind: string }) => [kind, status]).toSorted()).toEqual([
      ["cancellation", "paid"],
      ["invoice", "void"],
      ["invoice", "void"],
    ]);
  });

  test("a school that has never sent an invoice is told what lacks, and enters it under Settings", async () => {
    const school = await newSchool(stage.installation);
    const { owner, student } = school;
    await completeBuyer(school, student.personId);
    const body = { person_id: student.personId, lines: [headset] };
    const { id } = expectStatus(201, await owner.post("/finance/invoices", body)).body.data;
    const path = `/app/money/invoices/${id}`;
    const page = await stage.open({ as: owner, path, now: now(), refusals: [409] });
    const send = async () => {
      await page.getByRole("button", { name: "Send" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Send" }).click();
    };
    await send();
    await page.getByText("The school's details for invoices are not complete: see Settings.").waitFor();
    await page.goto(`${stage.url}/app/settings`);
    await page.getByText("Without an address and a tax number no invoice can be sent.").waitFor();
    await page.getByRole("button", { name: "Edit Invoices of the school" }).click();
    const fields = { street: "Am Flugplatz 1", postcode: "63329", city: "Egelsbach", country: "DE" };
    const form = page.getByRole("form", { name: "Invoices of the school" });
    for (const [name, value] of Object.entries({ ...fields, vat_id: "DE123456789" }))
      await form.locator(`[name=${name}]`).fill(value);
    await expectSound(page);
    await form.getByRole("button", { name: "Save" }).click();
    await page.getByText("DE123456789").waitFor();
    await page.goto(stage.url + path);
    await send();
    await page.getByRole("button", { name: "Take a payment" }).waitFor();
  });

  test("an IBAN is read in groups of four, and copied and stored without gaps", async () => {
    const { owner } = await newSchool(stage.installation);
    const iban = "DE89370400440532013000";
    expectStatus(200, await owner.patch("/finance/settings", { legal_name: "Flight School Egelsbach", iban }));
    const page = await stage.open({ as: owner, path: "/app/settings", ...german, width: 1280, now: now() });
    const shown = page.getByText(iban, { exact: true });
    await shown.waitFor();
    await expectSound(page);
    const gaps = await shown
      .locator("span")
      .evaluateAll((groups) =>
        groups
          .slice(1)
          .map((group, at) => group.getBoundingClientRect().left - (groups[at]?.getBoundingClientRect().right ?? 0)),
      );
    expect(gaps).toHaveLength(5);
    expect(Math.min(...gaps)).toBeGreaterThan(2);
    const copied = () =>
      shown.evaluate((element) => {
        getSelection()?.selectAllChildren(element);
        return String(getSelection());
      });
    expect(await copied()).toBe(iban);
    // In two lines, no group is parted.
    await page.setViewportSize({ width: 360, height: 740 });
    await expectSound(page);
    expect(await copied()).toBe(iban);
  });

  test("a student sees on the phone what is to pay, and the invoice, and can change nothing of it", async () => {
    const school = await newSellingSchool(stage.installation);
    const { owner, student } = school;
    await sendInvoice(school, await newInvoice(school));
    const charge = { person_id: student.personId, ...headset, unit_price_minor: 500, on: "2026-06-01" };
    expectStatus(201, await owner.post("/finance/charges", charge));
    const [{ number }] = await invoicesOf(school);
    const page = await stage.open({ as: student, now: now(), ...german });
    const own = page.getByRole("region", { name: "Ihr Konto" });
    // Not the sum of both: only what was invoiced is to be paid.
    await own.getByRole("link", { name: "11,90 €" }).waitFor();
    await own.getByText("zu zahlen · Noch nicht abgerechnet: 5,95 €").waitFor();
    await expectSound(page);
    await own.getByRole("link", { name: number }).click();
    await page.getByRole("heading", { name: `Rechnung ${number}` }).waitFor();
    await page.getByRole("button", { name: "PDF" }).waitFor();
    await expectSound(page);
    for (const name of ["Zahlung eintragen", "Stornieren"])
      expect(await page.getByRole("button", { name }).count()).toBe(0);
    await page.goto(`${stage.url}/app/myself`);
    const account = page.getByRole("region", { name: "Kundenkonto" });
    await account.getByRole("link", { name: number }).waitFor();
    for (const name of ["Zahlung eintragen", "Abrechnen"])
      expect(await account.getByRole("button", { name }).count()).toBe(0);
  });
});
