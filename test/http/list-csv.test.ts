/** `Accept: text/csv` for the lists of the session API. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { readCsv } from "../../src/core/csv.ts";
import { csvLine, textCell } from "../../src/core/csv-writing.ts";
import { isBySession } from "../../src/http/route-security.ts";
import { resolve } from "../support/document.ts";
import type { StagedRoute } from "../support/scenery.ts";
import { csv, expectStatus, newSchool, type School, times } from "../support/school.ts";
import { changeEach, newStage, prepare, type Stage } from "../support/stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await newStage();
});
afterAll(() => stage.installation.close());

const accept = { headers: { accept: "text/csv" } };

async function table(text: string): Promise<string[][]> {
  const { lines, fault } = await readCsv(text, { lines: 100_000 });
  expect(fault).toBeUndefined();
  return lines.map(({ cells }) => [...cells]);
}

test("every list of the session API is also CSV, with a column for each field and a line for each row", async () => {
  await changeEach(stage);
  const lists = stage.routes.filter((route) => route.method === "GET" && isBySession(route.security) && isList(route));
  expect(lists.length).toBeGreaterThan(15);
  for (const route of lists) {
    const { path, caller } = await prepare(route, stage.school);
    const token = caller ?? stage.school.owner.token;
    const ask = (headers = {}) => stage.installation.call("GET", `${path}?limit=500`, { token, headers });
    const { data } = expectStatus(200, await ask()).body;
    const answer = expectStatus(200, await ask(accept.headers));
    expect([route.name, answer.headers.get("content-type")]).toEqual([route.name, "text/csv;charset=utf-8"]);
    expect(answer.headers.get("content-disposition")).toMatch(/^attachment; filename="[a-z-]+\.csv"$/);
    const [columns = [], ...rows] = await table(answer.text);
    expect([route.name, columns]).toEqual([
      route.name,
      expect.arrayContaining(Object.keys(data[0] ?? {}).filter(isPlain(data[0]))),
    ]);
    expect([route.name, rows.length]).toEqual([route.name, data.length]);
  }
}, 300_000);

const isList = ({ operation }: StagedRoute): boolean => {
  const schema = operation?.responses["200"]?.content?.["application/json"]?.schema;
  return schema !== undefined && "page" in (resolve(stage.document, schema).properties ?? {});
};

const isPlain = (row: Record<string, unknown>) => (name: string) => typeof row[name] !== "object";

/** Adds people by import. */
async function addPeople(school: School, count: number): Promise<void> {
  const lines = times(count, (index) => `Person ${String(index).padStart(4, "0")},p${index}@example.com,staff`);
  const body = csv(["name,email,types", ...lines].join("\n"));
  expectStatus(200, await school.owner.call("POST", `/orgs/${school.orgId}/people/import`, { body }));
}

test("CSV has the whole list without `limit`, and one page and its link with it", async () => {
  const school = await newSchool();
  await addPeople(school, 1_234);
  const get = (query: string) => school.owner.call("GET", `/orgs/${school.orgId}/people${query}`, accept);
  const { total } = (await school.owner.get("/people?with_total=true")).body.page;
  const whole = expectStatus(200, await get(""));
  expect(whole.headers.get("link")).toBeNull();
  const [columns = [], ...rows] = await table(whole.text);
  const names = rows.map((row) => row[columns.indexOf("name")]);
  expect(new Set(rows.map((row) => row[columns.indexOf("id")])).size).toBe(total);
  expect(names).toEqual([...names].sort());

  const page = expectStatus(200, await get("?limit=3"));
  expect((await table(page.text)).length).toBe(4);
  expect(page.headers.get("link")).toMatch(/limit=3&cursor=.*rel="next"/);
  const rest = expectStatus(200, await get(`?offset=${total - 2}`));
  expect((await table(rest.text)).slice(1)).toEqual(rows.slice(-2));
});

test("an empty list as CSV is the line of its columns", async () => {
  const { owner, orgId } = await newSchool();
  const { text } = expectStatus(200, await owner.call("GET", `/orgs/${orgId}/flights?status=reversed`, accept));
  expect(text).toMatch(/^id,.*\r\n$/);
  expect(text).toContain(",aircraft.registration,");
});

test("text that a spreadsheet would run as a formula is marked, and an import of the file reads it unchanged", async () => {
  const { owner, orgId } = await newSchool();
  const name = '=HYPERLINK("https://example.com", "a")';
  expectStatus(201, await owner.post("/people", { name, types: ["staff"], phone: "+49 30 1234567" }));
  const { text } = await owner.call("GET", `/orgs/${orgId}/people`, accept);
  expect(text).toContain(`"'=HYPERLINK(""https://example.com"", ""a"")"`);
  expect(text).toContain(",'+49 30 1234567,");
  expect((await table(text)).some((row) => row.includes(name))).toBe(true);
});

test("a client gets CSV only if it prefers that to JSON", async () => {
  const { owner, orgId } = await newSchool();
  const typeFor = async (accept: string) =>
    (await owner.call("GET", `/orgs/${orgId}/people`, { headers: { accept } })).headers.get("content-type");
  const [asCsv, asJson] = ["text/csv;charset=utf-8", "application/json;charset=utf-8"];
  for (const accept of ["text/csv", "text/csv, */*;q=0.1", "TEXT/CSV;q=0.9,application/json;q=0.8", "text/*"])
    expect([accept, await typeFor(accept)]).toEqual([accept, asCsv]);
  for (const accept of [
    "*/*",
    "application/json, text/csv;q=0.5",
    "text/csv;q=0",
    "text/html,*/*;q=0.8",
    "text/csv;q=x",
  ])
    expect([accept, await typeFor(accept)]).toEqual([accept, asJson]);
});

test("a member who is removed while a long list is sent gets no more of it", async () => {
  const school = await newSchool();
  await addPeople(school, 700);
  const admin = await school.join(["admin"], "Removed soon");
  const request = new Request(`http://localhost/orgs/${school.orgId}/people`, {
    headers: { authorization: `Bearer ${admin.token}`, accept: "text/csv" },
  });
  const answer = await school.installation.app.fetch(request);
  const reader = answer.body?.getReader();
  expect((await reader?.read())?.value).toBeInstanceOf(Uint8Array);
  expectStatus(200, await school.owner.delete(`/members/${admin.userId}`));
  await expect(Promise.resolve(reader?.read())).rejects.toThrow();
});

/** Of what divides cells, what makes formulas, and what is written around them. */
const hostile = fc.string({ unit: fc.constantFrom(..."=+-@;,'\"\t\r\n a1") });
const texts = fc.array(fc.oneof(hostile, fc.string({ unit: "grapheme" })), { minLength: 1 });

test("a text with a semicolon, a tab or a line break is no formula in a spreadsheet that divides cells there", async () => {
  const [semicolon, tab, line] = ["ok;=cmd|' /C calc'!A0", "a\t+1", "a\r\n@b"].map((text) =>
    csvLine(["x", textCell(text)]),
  );
  expect([semicolon, tab, line]).toEqual([`x,"ok;'=cmd|' /C calc'!A0"\r\n`, `x,"a\t'+1"\r\n`, `x,"a\n'@b"\r\n`]);
  const school = await newSchool();
  const { id } = expectStatus(201, await school.owner.post("/people", { name: ";=1", types: ["student"] })).body.data;
  const path = `/orgs/${school.orgId}/people`;
  const { text } = expectStatus(
    200,
    await school.installation.call("GET", path, { token: school.owner.token, ...accept }),
  );
  expect(text).toContain(`${id},active,";'=1",`);
  expect(expectStatus(200, await school.owner.get("/people")).body.data.map(nameOf)).toContain(";=1");
  expect((await table(text)).flat()).toContain(";=1");

  await fc.assert(
    fc.asyncProperty(texts, async (all) => {
      const pieces = csvLine(["x", ...all.map(textCell)]).split(/[;\t\r\n]/);
      for (const piece of pieces) expect(piece).not.toMatch(/^["\s]*[=+\-@]/);
    }),
  );
});

const nameOf = ({ name }: { name: string }) => name;

test("any text survives a CSV file", () =>
  fc.assert(
    fc.asyncProperty(texts, async (texts) => {
      const { lines } = await readCsv(`"x"\r\n${csvLine(["y", ...texts.map(textCell)])}`, { lines: 9 });
      expect(lines[1]?.cells.slice(1)).toEqual(texts.map((text) => text.trim().replace(/\r\n?/g, "\n")));
    }),
  ));
