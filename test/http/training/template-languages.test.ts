/** Built-in syllabi in each language: the texts differ, and nothing else. */
import { expect, test } from "bun:test";
import { expectStatus, type Member, newSchool } from "../../support/school.ts";

interface Named {
  code: string;
  name: string;
}
interface Syllabus {
  name: string;
  subjects: Named[];
  phases: Named[];
  scales: { code: string; grades: Named[] }[];
  lessons: (Named & { items: Named[] })[];
}

const all = async (by: Member, query = ""): Promise<{ key: string; name: string }[]> =>
  expectStatus(200, await by.get(`/training/templates${query}`)).body.data;

const applied = async (by: Member, key: string, body?: object): Promise<Syllabus> => {
  const { id, program_id } = expectStatus(201, await by.post(`/training/templates/${key}/apply`, body)).body.data;
  return expectStatus(200, await by.get(`/training/programs/${program_id}/revisions/${id}/export`)).body.data;
};

/** Where each text stands, and the text. */
const textsOf = ({ name, subjects, phases, scales, lessons }: Syllabus): Map<string, string> => {
  const named = (place: string, parts: Named[]) =>
    parts.map(({ code, name }): [string, string] => [`${place} ${code}`, name]);
  return new Map([
    ["program", name],
    ...named("subject", subjects),
    ...named("phase", phases),
    ...scales.flatMap(({ grades }) => named("grade", grades)),
    ...named("lesson", lessons),
    ...lessons.flatMap(({ code, items }) => named(`item ${code}`, items)),
  ]);
};

const nameless = <Part extends Named>({ name: _, ...part }: Part) => part;

/** What is the same in all languages: codes, kinds, requirements, milestones, minima, the legal basis and the rest. */
const withoutTexts = ({ name: _, subjects, phases, scales, lessons, ...rest }: Syllabus) => ({
  ...rest,
  subjects: subjects.map(nameless),
  phases: phases.map(nameless),
  scales: scales.map(({ grades, ...scale }) => ({ ...scale, grades: grades.map(nameless) })),
  lessons: lessons.map(({ items, ...lesson }) => ({ ...nameless({ ...lesson }), items: items.map(nameless) })),
});

/** German texts that are the English ones. */
const alike = ["PPL(A)", "LAPL(A)", "Navigation"];

test("a built-in syllabus in German has the codes, requirements and minima of the English one, and no English text", async () => {
  const { owner } = await newSchool();
  const same = new Set<string>();
  for (const { key } of await all(owner)) {
    const english = await applied(owner, key, { language: "en" });
    const german = await applied(owner, key, { language: "de" });
    expect(withoutTexts(german)).toEqual(withoutTexts(english));
    const before = textsOf(english);
    for (const [place, text] of textsOf(german)) if (before.get(place) === text) same.add(text);
  }
  expect([...same].sort()).toEqual([...alike].sort());
});

test("built-in syllabi are listed and applied in the language that is asked for, and in English if none is", async () => {
  const { owner, student } = await newSchool();
  const nameOf = async (by: Member, query?: string) => (await all(by, query)).find(({ key }) => key === "night")?.name;
  expect(await nameOf(owner)).toBe("Night rating");
  expect(await nameOf(owner, "?language=en")).toBe("Night rating");
  expect(await nameOf(student, "?language=de")).toBe("Nachtflugberechtigung");
  const told = async (body?: object) => {
    const { name, lessons, scales } = await applied(owner, "night", body);
    return [name, lessons[2]?.name, lessons[2]?.items[1]?.name, scales[0]?.code, scales[0]?.grades[0]?.name];
  };
  const english = [
    ...["Night rating", "Circuits at night", "Landing without landing light"],
    ...["1-4", "Shown by the instructor"],
  ];
  expect(await told()).toEqual(english);
  expect(await told({})).toEqual(english);
  expect(await told({ language: "de" })).toEqual([
    ...["Nachtflugberechtigung", "Platzrunden bei Nacht", "Landung ohne Landescheinwerfer"],
    ...["1-4", "Vom Fluglehrer gezeigt"],
  ]);
});

test("theory exams in German have the names of the subjects in Part-FCL", async () => {
  const { owner } = await newSchool();
  const { subjects, phases } = await applied(owner, "ppl-a", { language: "de" });
  expect(subjects.map(({ name }) => name)).toEqual([
    ...["Luftrecht", "Menschliches Leistungsvermögen", "Meteorologie", "Kommunikation", "Grundlagen des Fliegens"],
    ...["Betriebsverfahren", "Flugleistung und Flugplanung", "Allgemeine Luftfahrzeugkunde", "Navigation"],
  ]);
  expect(phases.map(({ name }) => name)).toContain("Bis zum ersten Alleinflug");
});

test("a built-in syllabus is refused in a language that there is not, and nothing is written", async () => {
  const { owner } = await newSchool();
  const pathOf = ({ status, body }: { status: number; body: { issues?: { path: string }[] } }) => [
    status,
    body.issues?.map(({ path }) => path),
  ];
  for (const language of ["fr", "DE", "", null])
    expect(pathOf(await owner.post("/training/templates/ppl-a/apply", { language }))).toEqual([400, ["body.language"]]);
  expect(pathOf(await owner.get("/training/templates?language=fr"))).toEqual([400, ["query.language"]]);
  expect((await owner.post("/training/templates/ppl-a/apply", { lang: "de" })).status).toBe(400);
  expect((await owner.get("/training/programs")).body.data).toEqual([]);
});
