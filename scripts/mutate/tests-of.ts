/** The modules whose tests are in the folder of another. */
const testedIn: Record<string, string> = {
  mails: "notifications",
  rules: "clearance",
  "fleet-status": "fleet",
  privacy: "people",
  reports: "planning",
};

/**
 * Chooses the tests of a source file: those of its module (`test/http/<module>`, `test/unit/<module>`) or of its layer
 * (`test/<layer>`), and each that imports it. What is about a person is tested with people, too. The tests that have the most to do
 * with it come first.
 *
 * @param tests the text of each test, by its path
 */
export function testsOf(source: string, tests: ReadonlyMap<string, string>): string[] {
  const [, layer = "", name = ""] = source.split("/");
  const topics = [layer === "modules" ? (testedIn[name] ?? name) : layer];
  if (source.endsWith(".personal.ts")) topics.push("people");
  const words = wordsOf(source.replace(/^src\/(modules\/)?/, ""));
  const chosen = [...tests].flatMap(([path, text]) => {
    const imports = text.includes(source.replace(/^src\//, "/src/"));
    const isAbout = topics.some((topic) => wordsOf(path).includes(topic));
    if (!imports && (!isAbout || isStory(path))) return [];
    const shared = words.filter((word) => wordsOf(path).some((other) => isSame(word, other))).length;
    return [{ path, score: shared + (imports ? 3 : 0) }];
  });
  chosen.sort((one, other) => other.score - one.score || (one.path < other.path ? -1 : 1));
  return chosen.map(({ path }) => path);
}

/** In a browser: it takes long, and what it shows of a module has tests of its own. */
const isStory = (path: string): boolean => path.startsWith("test/console/");

const wordsOf = (path: string): string[] => path.split(/\W+/);

/** `invoice` and `invoices`. */
const isSame = (one: string, other: string): boolean =>
  one.length > 3 && other.length > 3 && one.slice(0, 5) === other.slice(0, 5);
