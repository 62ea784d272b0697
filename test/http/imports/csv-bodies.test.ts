/** Bodies of imports that are rejected before their lines are read. */
import { expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { stretched } from "../../support/limits.ts";
import { csv, expectStatus, newSchool, times } from "../../support/school.ts";

const heading = "name,email,types\n";
const file = `${heading}Anna,a@x.example,pilot\n`;

test.each([
  "application/json",
  "text/plain",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "",
])("an import takes no %p", async (type) => {
  const { owner, orgId } = await newSchool();
  const call = { body: file, headers: { "content-type": type } };
  const { body } = expectStatus(415, await owner.call("POST", `/orgs/${orgId}/people/import`, call));
  expect(body.error.message).toBe("Send the body as CSV, with `Content-Type: text/csv`.");
});

test("other routes take no CSV", async () => {
  const { owner, orgId } = await newSchool();

  expectStatus(415, await owner.call("POST", `/orgs/${orgId}/people`, { body: csv(file) }));
});

test("an import takes a charset, and a byte order mark", async () => {
  const { owner, orgId } = await newSchool();
  const headers = { "content-type": "Text/CSV; charset=utf-8; header=present" };

  const answer = await owner.call("POST", `/orgs/${orgId}/people/import`, { body: `\ufeff${file}`, headers });

  expect(expectStatus(200, answer).body.data.created).toBe(1);
});

test("an import is UTF-8, and not compressed", async () => {
  const { owner, orgId } = await newSchool();
  const path = `/orgs/${orgId}/people/import`;
  const latin = Uint8Array.from(Buffer.from(file.replace("Anna", "Änne"), "latin1"));

  const refused = expectStatus(400, await owner.call("POST", path, { body: csv(latin) }));
  expect(refused.body.error).toMatchObject({ code: "BAD_REQUEST", message: expect.stringContaining("CSV UTF-8") });
  const headers = { "content-type": "text/csv", "content-encoding": "gzip" };
  expectStatus(415, await owner.call("POST", path, { body: gzipSync(file), headers }));
});

test("an import has at most 2 MiB and 5,000 lines, and needs a body", async () => {
  const { owner, orgId } = await newSchool();
  const path = `/orgs/${orgId}/people/import?dry_run=true`;
  // Each has a fault, which takes less time than to write it.
  const lines = (count: number) => csv(heading + times(count, (at) => `Person ${at},p${at}@x.example,cook`).join("\n"));

  expectStatus(413, await owner.call("POST", path, { body: csv(heading + "x".repeat(2 * 1024 * 1024)) }));
  expectStatus(413, await owner.call("POST", path, { body: lines(5001) }));
  const whole = expectStatus(200, await owner.call("POST", path, { body: lines(5000) })).body.data;
  expect(whole).toMatchObject({ created: 0, faults: 5000 });
  const missing = expectStatus(400, await owner.call("POST", path));
  expect(missing.body.issues).toEqual([{ path: "body", code: "required", message: "Send a CSV file." }]);
}, 240_000);

const floods = ["\n", "\r\n", "   \n", ",\n", '""\n', '"', ",", "\ufeff", "x"];

test.each(["people", "aircraft", "flights"])(
  "blank lines of an import of %s cost nothing, and are counted",
  async (path) => {
    const { owner, orgId } = await newSchool();
    const send = (text: string) =>
      owner.call("POST", `/orgs/${orgId}/${path}/import?dry_run=true`, { body: csv(text) });
    const [issue] = expectStatus(200, await send(`id\n${"\n".repeat(1000)}x,y`)).body.data.issues.slice(-1);
    expect(issue).toMatchObject({ path: "body.1002", code: "wrong_count" });

    const began = performance.now();
    for (const unit of floods)
      for (const bytes of [40_000, 2_000_000]) {
        const body = `id\n${unit.repeat(bytes / Buffer.byteLength(unit))}`;
        for (const { status } of await Promise.all(times(4, () => send(body)))) expect(status).toBe(200);
      }
    expect(performance.now() - began).toBeLessThan(stretched(20_000));

    const { issues } = expectStatus(200, await send("\n".repeat(2_000_000))).body.data;
    const message = "The file has more than 100000 lines. Remove the blank ones.";
    expect(issues).toEqual([{ path: "body.100001", code: "invalid_csv", message }]);
  },
);

test("an import has at most 500 columns", async () => {
  const { owner, orgId } = await newSchool();
  const send = (columns: number) =>
    owner.call("POST", `/orgs/${orgId}/people/import`, { body: csv(times(columns, (at) => `x${at}`).join()) });

  const { body } = expectStatus(400, await send(501));
  expect(body.issues).toEqual([{ path: "body.1", code: "invalid_csv", message: "The line has more than 500 values." }]);
  expect(expectStatus(400, await send(500)).body.issues[0].code).toBe("no_such_field");
});

test("a long list in a cell has one fault, also the crew of a listed flight", async () => {
  const { owner, orgId } = await newSchool();
  const issuesOf = async (path: string, text: string) =>
    expectStatus(400, await owner.call("POST", `/orgs/${orgId}/${path}/import`, { body: csv(text) })).body.issues;
  const person = (ratings: string[]) => `name,types,email,ratings\nA,pilot,a@x.example,${ratings.join("|")}`;

  for (const ratings of [times(500, (at) => `R${at}`), times(8000, (at) => `R${at}`)])
    expect(await issuesOf("people", person(ratings))).toEqual([
      { path: "body.2.ratings", code: "too_many", params: { max: 50 }, message: "Must have at most 50 items." },
    ]);
  const blank = csv(person([...times(8000, () => ""), "R"]));
  expectStatus(200, await owner.call("POST", `/orgs/${orgId}/people/import`, { body: blank }));
  const crew = `crew\n"[${times(20_000, () => "{}").join()}]"`;
  expect(await issuesOf("flights", crew)).toContainEqual(
    expect.objectContaining({
      path: "body.2.crew",
      message: "Must be the crew of a flight as the list of flights has it.",
    }),
  );
});

test("timers run while a long file is read and written", async () => {
  const { owner, orgId } = await newSchool();
  const body = csv(heading + times(400, (at) => `Person ${at},p${at}@x.example,pilot`).join("\n"));
  let [last, longest, turns] = [performance.now(), 0, 0];
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
    turns += 1;
  }, 1);

  expectStatus(200, await owner.call("POST", `/orgs/${orgId}/people/import`, { body }));

  clearInterval(timer);
  expect(turns).toBeGreaterThan(20);
  expect(longest).toBeLessThan(stretched(1000));
}, 240_000);
