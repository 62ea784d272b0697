/** What is found follows every way to write a record: random histories of people, against a model that folds and scans. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { csv, expectStatus, newSchool } from "../../support/school.ts";

/** Parts of names, each with all words that find it: this is the model's own folding. */
const parts = {
  Łukasz: "lukasz",
  Żółć: "zolc",
  Sam: "sam",
  Samuel: "samuel",
  Müller: "muller mueller",
  MÜLLERIN: "mullerin muellerin",
  "Jean-Luc": "jean luc jeanluc",
  "O'Brien": "o brien obrien",
  Weiß: "weiss",
  Weissmann: "weissmann",
  "Ström-Østby": "strom ostby stromostby stroem oestby stroemoestby",
  Ελένη: "ελενη",
  Юрий: "юрии",
};
type Part = keyof typeof parts;
const names = Object.keys(parts) as Part[];

interface Person {
  id: string;
  name: Part[];
  email: string | null;
  status: "active" | "archived" | "erased";
}

const name = fc.uniqueArray(fc.constantFrom(...names), { minLength: 1, maxLength: 3 });
const email = fc.constantFrom(null, "sam.weiss@club.example", "luc@a.example", "o_brien@a.example");
type Step = typeof step extends fc.Arbitrary<infer Given> ? Given : never;
const step = fc.oneof(
  fc.record({ kind: fc.constant("add" as const), name, email }),
  fc.record({ kind: fc.constant("import" as const), name, email }),
  fc.record({ kind: fc.constant("change" as const), at: fc.nat(), name, email }),
  fc.record({ kind: fc.constant("status" as const), at: fc.nat(), status: fc.constantFrom("archived", "active") }),
  fc.record({ kind: fc.constant("erase" as const), at: fc.nat() }),
);

/** Beginnings of words, also as they are written in names. */
const word = fc
  .tuple(
    fc.constantFrom(...names, ...Object.values(parts).flatMap((all) => all.split(" ")), "sam.weiss@c", "x"),
    fc.nat(9),
  )
  .map(([text, length]) => text.slice(0, 1 + length));
const queries = fc.array(fc.array(word, { minLength: 1, maxLength: 3 }), { minLength: 8, maxLength: 8 });

const wordsOf = ({ name, email, status }: Person): string[] => {
  if (status === "erased") return [];
  const [local = ""] = (email ?? "").split("@");
  return [
    ...name.flatMap((part) => parts[part].split(" ")),
    ...local.split(/[._]/),
    ...(email === null ? [] : [email]),
  ];
};

/** The words of a search: each part as it finds itself, or what was typed of it. */
const typed = (q: string): string[] =>
  q.split(" ").flatMap((text) => {
    const plain = text
      .toLowerCase()
      .replace(/[łżóćüßøöέήй]/g, (letter) => [..."lzocu", "ss", ..."ooεηи"]["łżóćüßøöέήй".indexOf(letter)] ?? letter);
    return plain.includes("@") ? [plain] : plain.split(/[-'.]/).filter((one) => one !== "");
  });

const isFound = (person: Person, words: readonly string[]): boolean =>
  words.every((one) => wordsOf(person).some((known) => known !== "" && known.startsWith(one)));

test("people are found as by a model after any history of additions, imports, changes and erasures", async () => {
  const play = async (steps: Step[], asked: string[][]) => {
    const { owner } = await newSchool();
    const known: Person[] = [];
    const write = async ({ name, email }: Pick<Person, "name" | "email">, id?: string): Promise<string> => {
      const body = { name: name.join(" "), email };
      if (id !== undefined) return expectStatus(200, await owner.patch(`/people/${id}`, body)).body.data.id;
      return expectStatus(201, await owner.post("/people", { ...body, types: ["mechanic"] })).body.data.id;
    };
    for (const one of steps) {
      if (one.kind === "add") known.push({ ...one, id: await write(one), status: "active" });
      if (one.kind === "import") {
        const licence = `L${known.length}`;
        const file = `name,email,types,licence_number\n"${one.name.join(" ")}",,mechanic,${licence}\n`;
        expectStatus(200, await owner.call("POST", `/orgs/${owner.orgId}/people/import`, { body: csv(file) }));
        const { data } = (await owner.get("/people?limit=500&type=mechanic")).body;
        const { id } = data.find((row: { licence_number: string | null }) => row.licence_number === licence);
        known.push({ id, name: one.name, email: null, status: "active" });
      }
      if (!("at" in one) || known.length === 0) continue;
      const person = known[one.at % known.length];
      if (person === undefined || person.status === "erased") continue;
      if (one.kind === "change" && person.status === "active") {
        await write(one, person.id);
        Object.assign(person, { name: one.name, email: one.email });
      }
      if (one.kind === "status" && one.status !== person.status) {
        expectStatus(200, await owner.patch(`/people/${person.id}`, { status: one.status }));
        person.status = one.status === "active" ? "active" : "archived";
      }
      if (one.kind === "erase") {
        expectStatus(200, await owner.post(`/people/${person.id}/erase`));
        person.status = "erased";
      }
    }
    for (const words of asked) {
      const q = words.join(" ");
      const expected = known.filter((person) => isFound(person, typed(q)));
      const ids = (of: Person[]) => of.map(({ id }) => id).sort();
      const path = (list: string) => `/${list}?q=${encodeURIComponent(q)}`;
      const listed = expectStatus(200, await owner.get(`${path("people")}&type=mechanic&limit=500`)).body.data;
      expect([q, ids(listed)]).toEqual([q, ids(expected)]);
      const all = expectStatus(200, await owner.get(path("search"))).body.data;
      const found: Person[] = all.filter(
        (row: { kind: string; types: string[] }) => row.kind === "person" && row.types.includes("mechanic"),
      );
      const active = expected.filter(({ status }) => status === "active");
      // The three of the school itself may take places.
      if (expected.length <= 5) expect([q, ids(found)]).toEqual([q, ids(expected)]);
      for (const { id, status } of found) expect(expected.find((one) => one.id === id)?.status).toBe(status);
      if (active.length >= 8) expect(found.every(({ status }) => status === "active")).toBe(true);
      const order = found.map(({ status }) => status);
      expect(order).toEqual(order.toSorted());
    }
  };
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 16 }), queries, play), { numRuns: 12 });
}, 60_000);
