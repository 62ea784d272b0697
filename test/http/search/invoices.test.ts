/** Invoices in the search: their numbers say where they are, so they have no words of their own. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { newInstallation } from "../../support/installation.ts";
import { newInvoice, newSellingSchool, sendInvoice } from "../../support/money.ts";
import { expectStatus, type Member, times } from "../../support/school.ts";

interface Found {
  kind: string;
  id: string;
  title: string;
}

const search = async (by: Member, q: string): Promise<Found[]> => {
  const { data } = expectStatus(200, await by.get(`/search?q=${encodeURIComponent(q)}`)).body;
  return data.filter(({ kind }: Found) => kind === "invoice");
};

const numbers = async (by: Member, q: string) => (await search(by, q)).map(({ title }) => title);

test("invoices and credit notes are found by each word of their numbers, once they are sent", async () => {
  const school = await newSellingSchool();
  const { owner, student, instructor } = school;
  const draft = await newInvoice(school);
  expect(await search(owner, "inv")).toEqual([]);
  const { number, issued_on, ...invoice } = expectStatus(200, await owner.post(`/finance/invoices/${draft.id}/send`))
    .body.data;
  const [, year = ""] = number.split("-");
  const row = {
    ...{ kind: "invoice", id: draft.id, title: number, invoice_kind: "invoice", status: "sent" },
    ...{ person: { id: student.personId, name: "Sam Student" }, issued_on },
    ...{ gross_minor: invoice.gross_minor, currency: "EUR" },
  };
  for (const q of [number, "inv", "INV-2", year, "00001", `${year}-000`, `inv${year}0`, "00001 inv"])
    expect(await search(owner, q)).toEqual([row]);
  for (const q of ["1", "00002", `inv${year}1`, "inv 00001 x", `${Number(year) - 1}`, "cn"])
    expect(await search(owner, q)).toEqual([]);
  expectStatus(201, await owner.post(`/finance/invoices/${draft.id}/cancel`, { reason: "Twice." }));
  expect(await numbers(owner, "cn")).toEqual([`CN-${year}-00001`]);
  expect(await search(owner, number)).toMatchObject([{ status: "void" }]);

  // Members without `finance:read` find their own.
  const theirs = await newInvoice(school, { person_id: instructor.personId });
  await sendInvoice(school, theirs);
  expect(await numbers(student, "inv")).toEqual([number]);
  expect(await numbers(student, "cn")).toHaveLength(1);
  expect(await numbers(instructor, "inv")).toEqual([`INV-${year}-00002`]);
  expect(await numbers(student, "00002")).toEqual([]);
  expect(await numbers(await school.join(["accountant"], "Alma Accountant"), "inv")).toEqual([
    `INV-${year}-00002`,
    number,
  ]);
  expect(await numbers(await school.join(["mechanic"], "Max Mechanic"), "inv")).toEqual([]);
});

test("numbers of several series and years are found as by a model", async () => {
  const installation = await newInstallation();
  const school = await newSellingSchool(installation);
  const sent: string[] = [];
  for (const [series, count, days] of [
    ["INV", 11, 0],
    ["RE-2", 2, 0],
    ["INV", 2, 300],
    ["A", 3, 0],
  ] as const) {
    installation.clock.advance(days * 86_400_000);
    const owner = await school.owner.signedInAgain();
    expectStatus(200, await owner.patch("/finance/settings", { invoice_series: series }));
    for (const _ of times(count, (at) => at)) {
      installation.clock.advance(1000);
      const { id } = await newInvoice({ ...school, owner });
      const { number } = expectStatus(200, await owner.post(`/finance/invoices/${id}/send`)).body.data;
      sent.unshift(number);
    }
  }
  const by = { owner: await school.owner.signedInAgain(), student: await school.student.signedInAgain() };
  const wordsOf = (number: string) => [...number.toLowerCase().split("-"), number.toLowerCase().replaceAll("-", "")];
  const word = fc
    .tuple(fc.constantFrom(...sent.flatMap(wordsOf), "x", "9"), fc.nat(14))
    .map(([text, length]) => text.slice(0, 1 + length));
  const isAsModel = async (words: string[]) => {
    const newest = sent
      .filter((number) => words.every((one) => wordsOf(number).some((known) => known.startsWith(one))))
      .slice(0, 8);
    const isWhole = (number: string) => words.every((one) => wordsOf(number).includes(one));
    const expected = [...newest.filter(isWhole), ...newest.filter((number) => !isWhole(number))];
    const q = words.join(" ");
    expect([q, await numbers(by.owner, q)]).toEqual([q, expected]);
    expect([q, await numbers(by.student, q)]).toEqual([q, expected]);
  };
  for (const words of [["20"], ["2"], ["2", "00001"], ["00001", "00002"], ["0", "0000"]]) await isAsModel(words);
  for (const number of sent) await isAsModel(number.toLowerCase().split("-"));
  await fc.assert(fc.asyncProperty(fc.array(word, { minLength: 1, maxLength: 4 }), isAsModel), { numRuns: 100 });
});
