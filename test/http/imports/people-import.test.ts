import { expect, test } from "bun:test";
import fc from "fast-check";
import { textCell } from "../../../src/core/csv-writing.ts";
import { csv, expectStatus, type Member, newSchool, times } from "../../support/school.ts";

const send = (by: Member, file: string, query = "") =>
  by.call("POST", `/orgs/${by.orgId}/people/import${query}`, { body: csv(file) });
const imported = async (by: Member, file: string, query = "") =>
  expectStatus(200, await send(by, file, query)).body.data;
const named = async (by: Member, name: string) =>
  expectStatus(200, await by.get(`/people?limit=500&q=${encodeURIComponent(name)}`)).body.data;
const paths = (answer: { body: { issues: { path: string }[] } }) => answer.body.issues.map(({ path }) => path);
const lastSeq = async (by: Member) => expectStatus(200, await by.get("/audit-log?limit=1")).body.data[0].seq;

test("an import adds people with every column, and an audit row for each", async () => {
  const { owner, instructor } = await newSchool();
  const before = await lastSeq(owner);
  const file = [
    "name,email,types,ratings,restricted_instructor,supervisor_id,date_of_birth,licence_number,licence_authority,phone,street,postcode,city,country,emergency_name,emergency_phone,emergency_relation,receives_mails,language",
    `Anna Berg,Anna.Berg@Example.com,instructor | pilot,SEP|SEP (land)|FI,TRUE,${instructor.personId},1994-03-21,DE.FCL.4711,LBA,+49 171 1,"Am Flugplatz 1\r\nHalle ""3""",63329,Egelsbach,de,Jonas Berg,'=1+1,Husband,false,de`,
    "Tom Stein,tom@example.com,student,,,,,,,,,,,,,,,,",
  ].join("\r\n");

  const report = await imported(owner, file);

  expect(report).toEqual({
    ...{ dry_run: false, created: 2, updated: 0, unchanged: 0, faults: 0, ignored_columns: [], issues: [] },
    lines: [2, 4].map((line) => ({ line, action: "created", id: expect.any(String), changed: [] })),
  });
  const [anna] = await named(owner, "Anna Berg");
  expect(anna).toEqual({
    ...{ id: report.lines[0].id, status: "active", user_id: null, erased_at: null, receives_mails: false },
    ...{ created_at: expect.any(String), updated_at: expect.any(String) },
    ...{ name: "Anna Berg", email: "anna.berg@example.com", types: ["instructor", "pilot"] },
    ...{ ratings: ["SEP", "SEP (land)", "FI"], restricted_instructor: true },
    ...{ supervisor_id: instructor.personId, supervisor_name: "Ines Instructor" },
    ...{ date_of_birth: "1994-03-21", licence_number: "DE.FCL.4711", licence_authority: "LBA", phone: "+49 171 1" },
    ...{ street: 'Am Flugplatz 1\nHalle "3"', postcode: "63329", city: "Egelsbach", country: "DE" },
    ...{ emergency_name: "Jonas Berg", emergency_phone: "=1+1", emergency_relation: "Husband", language: "de" },
  });
  expect((await named(owner, "Tom"))[0]).toMatchObject({ ratings: [], receives_mails: true, phone: null });
  const entries = expectStatus(200, await owner.get("/audit-log?limit=5")).body.data;
  expect(entries.filter(({ seq }: { seq: number }) => seq > before)).toMatchObject([
    { action: "person.created", subject: { id: report.lines[1].id } },
    { action: "person.created", subject: { id: anna.id }, after: anna },
  ]);
});

test("a second import changes nothing, and writes no audit row", async () => {
  const { owner } = await newSchool();
  const file = "name,email,types,licence_number\nAnna,a@x.example,pilot,\nBo,,student,L 1\n";
  expect(await imported(owner, file)).toMatchObject({ created: 2 });
  const before = await lastSeq(owner);

  expect(await imported(owner, file)).toMatchObject({ created: 0, updated: 0, unchanged: 2, lines: [] });

  expect(await lastSeq(owner)).toBe(before);
});

test("a person who matches gets the given values, and keeps the others", async () => {
  const { owner } = await newSchool();
  const body = {
    name: "Anna",
    types: ["pilot"],
    email: "a@x.example",
    licence_number: "L 1",
    phone: "1",
    city: "Bonn",
  };
  const before = expectStatus(201, await owner.post("/people", body)).body.data;

  const report = await imported(owner, "email,phone,city,name\na@x.example,2,,Anna\n");

  expect(report).toMatchObject({
    updated: 1,
    lines: [{ line: 2, action: "updated", id: before.id, changed: ["phone"] }],
  });
  const [after] = await named(owner, "Anna");
  expect(after).toEqual({ ...before, phone: "2", updated_at: expect.any(String) });
  expect(await imported(owner, "licence_number,email\nL 1,b@x.example\n")).toMatchObject({ updated: 1 });
  expect(await imported(owner, `id,licence_number\n${before.id},L 2\n`)).toMatchObject({ updated: 1 });
  expect((await named(owner, "Anna"))[0]).toMatchObject({ email: "b@x.example", licence_number: "L 2" });
  const [entry] = expectStatus(200, await owner.get("/audit-log?limit=1")).body.data;
  expect(entry).toMatchObject({ action: "person.updated", subject: { id: before.id } });
});

test("an import names all faults with line and column, and then changes nothing", async () => {
  const { owner, student } = await newSchool();
  const file = [
    "name;email;types;shoe_size;date_of_birth;restricted_instructor;phone;phone",
    "Anna;a@x.example;pilot;;;;;", // 2: right
    "Bo;b;astronaut;;2001-02-30;maybe;;",
    "Cy;;pilot;;;;;",
    "Di;d@x.example;;;;;;",
    "Ed;e@x.example",
    "Fi;f@x.example;pilot;;;;;;7",
    "Anna again;A@X.example;pilot;;;;;",
    "Gus;g@x.example;pilot;;2100-01-01;true;;",
    `Sam;${student.email};;;;true;;`,
  ].join("\n");

  const refused = expectStatus(400, await send(owner, file));

  expect(paths(refused)).toEqual([
    ...["body.1.shoe_size", "body.1.phone"],
    ...["body.3.types", "body.3.restricted_instructor", "body.3.email", "body.3.date_of_birth"],
    ...["body.4", "body.5.types", "body.6", "body.7", "body.8"],
    ...["body.9.date_of_birth", "body.9.restricted_instructor", "body.9.supervisor_id"],
    ...["body.10.restricted_instructor", "body.10.supervisor_id"],
  ]);
  expect(refused.body.error.message).toBe("The file has 16 faults. Nothing was changed.");
  expect(await named(owner, "Anna")).toEqual([]);
  const trial = await imported(owner, file, "?dry_run=true");
  expect(trial).toMatchObject({ dry_run: true, faults: 16, issues: refused.body.issues });
  // With faults, an import changes nothing.
  expect(trial).toMatchObject({ created: 0, updated: 0, lines: [] });
});

test("the faults of a line are told together: values of another form, rules, and what a new person needs", async () => {
  const { owner, student, instructor } = await newSchool();
  const file = [
    "name,email,types,phone,country,date_of_birth,restricted_instructor",
    "Bo,b@x.example,,1,Germany,2100-01-01,true",
    `Sam,${student.email},,1,Germany,2100-01-01,true`,
    "Cy,c@x.example,flyer,1,Germany,2100-01-01,true",
    `Ines,${instructor.email},flyer,1,,2100-01-01,true`,
    "Di,no address,pilot,1,Germany,2100-01-01,true",
  ].join("\n");
  expect(paths(expectStatus(400, await send(owner, file)))).toEqual([
    ...["body.2.country", "body.2.types"],
    ...["body.3.country", "body.3.date_of_birth", "body.3.restricted_instructor", "body.3.supervisor_id"],
    // Whether an instructor is restricted depends on the types.
    ...["body.4.types", "body.4.country", "body.5.types", "body.5.date_of_birth"],
    // Whether it is a new person depends on the e-mail address.
    ...["body.6.email", "body.6.country"],
  ]);
});

test("an unknown column is named with the nearest one, and the columns are listed once", async () => {
  const { owner } = await newSchool();
  const { issues } = expectStatus(400, await send(owner, "nam,e-mail,shoe_size\n")).body;
  const [first, second, third] = issues.map(({ message }: { message: string }) => message);
  expect(first).toStartWith("There is no column `nam`. Did you mean `name`? The columns are: `id`, `name`, ");
  expect([second, third]).toEqual([
    "There is no column `e-mail`. Did you mean `email`?",
    "There is no column `shoe_size`.",
  ]);
});

test("a column with the name of what every object has is unknown like any other", async () => {
  const { owner } = await newSchool();
  for (const name of ["constructor", "__proto__"]) {
    const file = `name,email,types,${name}\nTom,tom@example.com,student,x\n`;
    const { issues } = await imported(owner, file, "?dry_run=true");
    expect(issues).toMatchObject([{ path: `body.1.${name}`, code: "no_such_field" }]);
  }
});

test("a column that new people need is one fault", async () => {
  const { owner } = await newSchool();

  const refused = expectStatus(400, await send(owner, "email,types\na@x.example,pilot\nb@x.example,pilot\n"));

  expect(refused.body.issues).toEqual([
    { path: "body.1.name", code: "required", message: "The column is missing. A new line needs it." },
  ]);
});

test("of many faults the first 300 are listed", async () => {
  const { owner } = await newSchool();
  const lines = times(400, (at) => `Person ${at},nobody,pilot`);

  const { body } = expectStatus(400, await send(owner, ["name,email,types", ...lines].join("\n")));

  expect(body.error.message).toBe("The file has 400 faults. The first 300 are listed. Nothing was changed.");
  expect(body.issues).toHaveLength(300);
});

test("a dry run says what would happen, and changes nothing", async () => {
  const { owner, student } = await newSchool();
  const before = await lastSeq(owner);
  const file = `name,email,types\nAnna,a@x.example,pilot\nSamuel,${student.email},\n`;

  expect(await imported(owner, file, "?dry_run=true")).toMatchObject({
    ...{ dry_run: true, created: 1, updated: 1, unchanged: 0, faults: 0 },
    lines: [
      { line: 2, action: "created", id: null },
      { line: 3, action: "updated", id: student.personId, changed: ["name"] },
    ],
  });

  expect(await lastSeq(owner)).toBe(before);
  expect(await imported(owner, file)).toMatchObject({ created: 1, updated: 1 });
});

test("a line that matches several people is ambiguous, unless only one of them is active", async () => {
  const { owner } = await newSchool();
  const add = async (name: string, email: string | null, licence_number: string | null): Promise<string> =>
    expectStatus(201, await owner.post("/people", { name, email, licence_number, types: ["pilot"] })).body.data.id;
  const [first, twin] = [await add("First", "x@x.example", null), await add("Twin", "x@x.example", "L 1")];
  await add("Other", "o@x.example", "L 2");
  const codes = async (line: string) =>
    expectStatus(400, await send(owner, `email,licence_number,phone\n${line}\n`)).body.issues.map(
      ({ path, code }: { path: string; code: string }) => `${path} ${code}`,
    );

  expect(await codes("x@x.example,,1")).toEqual(["body.2.email ambiguous"]);
  expect(await codes("o@x.example,L 1,1")).toEqual(["body.2.email ambiguous"]);
  expect(await imported(owner, "email,licence_number,phone\nx@x.example,L 1,1\n")).toMatchObject({
    lines: [{ id: twin }],
  });
  expectStatus(200, await owner.patch(`/people/${twin}`, { status: "archived" }));
  expect(await imported(owner, "email,phone\nx@x.example,2\n")).toMatchObject({ lines: [{ id: first }] });
  const unknown = "01890a5d-ac96-774b-bcce-b302099a8057";
  expect(paths(expectStatus(400, await send(owner, `id,phone\n${unknown},1\n`)))).toEqual(["body.2.id"]);
});

test("an archived person can be in the file, but not changed by it", async () => {
  const { owner, student } = await newSchool();
  expectStatus(200, await owner.patch(`/people/${student.personId}`, { status: "archived" }));

  expect(await imported(owner, `name,email\nSam Student,${student.email}\n`)).toMatchObject({ unchanged: 1 });
  const refused = expectStatus(400, await send(owner, `name,email\nSamuel,${student.email}\n`));
  expect(refused.body.issues).toMatchObject([
    { path: "body.2", code: "conflict", params: { reason: "person_archived" } },
  ]);
});

test("a file that is no list of people is refused", async () => {
  const { owner } = await newSchool();
  const faults: [file: string, path: string, code: string][] = [
    ["\n\n", "body.1", "required"],
    ['name,email,types\n"Anna,a@x.example,pilot\n', "body.2", "invalid_csv"],
    ['name,email,types\nAnna,a@x.example,pilot\n"Bo"x,,\n', "body.3", "invalid_csv"],
    [`name,email,types\n${"x".repeat(70_000)},,\n`, "body.2", "invalid_csv"],
  ];
  for (const [file, path, code] of faults) {
    const { issues } = expectStatus(400, await send(owner, file)).body;
    expect(issues[0]).toMatchObject({ path, code });
  }
  expect(await imported(owner, "name,email,types\n")).toMatchObject({ created: 0, unchanged: 0 });
});

const word = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 30 })
  .filter((text) => /^[\p{L}\p{N}+=@'",;. -]+$/u.test(text) && /[\p{L}\p{N}]/u.test(text));
const line: fc.Arbitrary<string> = fc.stringMatching(/^[+=@'",; a-z|-]{0,8}[a-z0-9]$/);
const aPerson: fc.Arbitrary<object> = fc.record({
  name: word,
  types: fc.uniqueArray(fc.constantFrom("student", "pilot", "mechanic", "staff"), { minLength: 1 }),
  ratings: fc.uniqueArray(
    line.map((text) => text.replaceAll("|", "").trim()),
    { maxLength: 3 },
  ),
  phone: fc.option(line),
  street: fc.option(fc.tuple(line, line).map((lines) => lines.join("\n"))),
  city: fc.option(word),
  date_of_birth: fc.option(fc.constantFrom("1999-12-31", "2001-01-01")),
});

/** As Windsock exports a list, but with quotes around each cell: formulas are marked, wherever a spreadsheet would find one. */
const cell = (value: unknown): string => {
  const text = Array.isArray(value) ? value.join("|") : String(value ?? "");
  return `"${textCell(text).replaceAll('"', '""')}"`;
};

test("an import of the exported people changes nothing, with either separator and line end", async () => {
  const { owner } = await newSchool();
  const before = await lastSeq(owner);
  let added = 0;
  await fc.assert(
    fc.asyncProperty(
      aPerson,
      fc.constantFrom(",", ";"),
      fc.constantFrom("\n", "\r\n"),
      async (person, separator, end) => {
        expectStatus(201, await owner.post("/people", person));
        added += 1;
        const { data } = expectStatus(200, await owner.get("/people?limit=500")).body;
        const names = Object.keys(data[0]);
        const rows = data.map((one: Record<string, unknown>) => names.map((name) => cell(one[name])).join(separator));
        const report = await imported(owner, `\ufeff${[names.join(separator), ...rows].join(end)}${end}`);
        expect(report).toMatchObject({ created: 0, updated: 0, unchanged: data.length });
      },
    ),
    { numRuns: 25 },
  );
  expect(await lastSeq(owner)).toBe(before + added);
});

test("the list of people as CSV can be imported into another school", async () => {
  const [first, second] = [await newSchool(), await newSchool()];
  const body = { name: "Anna", email: "a@x.example", types: ["instructor", "pilot"], ratings: ["SEP", "FI; CRI"] };
  expectStatus(201, await first.owner.post("/people", body));
  const headers = { accept: "text/csv" };
  const { text } = await first.owner.call("GET", `/orgs/${first.orgId}/people?q=Anna`, { headers });
  // Their ids are of the first school.
  const [names = "", line = ""] = text.split("\r\n");
  expect(names).toStartWith("id,");
  expect(await imported(second.owner, `${names}\n${line.slice(line.indexOf(","))}`)).toMatchObject({ created: 1 });
  expect((await named(second.owner, "Anna"))[0]).toMatchObject(body);
});

test("a repeat with the same Idempotency-Key gets the first report, and another file is refused", async () => {
  const { owner, orgId } = await newSchool();
  const post = (file: string) =>
    owner.call("POST", `/orgs/${orgId}/people/import`, { body: csv(file), headers: { "idempotency-key": "import-1" } });
  const file = "name,email,types\nAnna,a@x.example,pilot\n";

  const first = expectStatus(200, await post(file));
  const repeat = expectStatus(200, await post(file));

  expect(repeat.body).toEqual(first.body);
  expect(repeat.headers.get("idempotency-replayed")).toBe("true");
  expectStatus(422, await post(file.replace("Anna", "Bo")));
});
