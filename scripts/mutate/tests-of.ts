import { dirname, join } from "node:path";

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
 * (`test/<layer>`), of the modules that import it or follow its occasions, and each that imports it, uses what the module's tests share,
 * or has a word of its name. What is about a person is tested with people, too, what moves with a school where it moves, what asks for a
 * second factor with that, and who may do what with security. The tests that have the most to do with it come first.
 *
 * @param tests the text of each test, by its path
 * @param sources the text of each source file, by its path
 */
export function testsOf(
  source: string,
  tests: ReadonlyMap<string, string>,
  sources: ReadonlyMap<string, string>,
): string[] {
  const own = topicOf(source);
  const usersOf = (file: string) => [...sources].filter(([path, text]) => importsOf(path, text).includes(file));
  const occasions = importsOf(source, sources.get(source) ?? "").filter((file) => file.endsWith(".occasions.ts"));
  const others = new Set([source, ...occasions].flatMap(usersOf).map(([path]) => topicOf(path)));
  others.add("security");
  // Its tests are also in the folders of others: `training/privacy.test.ts`.
  others.add(source.split("/")[2] ?? "");
  if (usersOf(source).some(([path]) => path.endsWith(".jobs.ts"))) others.add("scheduler");
  if (importsOf(source, sources.get(source) ?? "").includes("src/storage/finder.ts")) others.add("search");
  if (sources.get(source)?.includes("requireSteppedUp")) others.add("mfa");
  if (source.endsWith(".personal.ts")) others.add("people");
  if (source.includes("/moved-")) others.add("moving");
  const words = wordsOf(source.replace(/^src\/(modules\/)?/, ""));
  const ofName = wordsOf(source.split("/").at(-1)?.split(".")[0] ?? "");
  const chosen = [...tests].flatMap(([path, text]) => {
    const ofTest = wordsOf(path);
    const imports = text.includes(source.replace(/^src\//, "/src/"));
    const isOwn = ofTest.includes(own);
    const isSharing = text.includes(`from "../${own}/`);
    const isOther = ofTest.some((word) => others.has(word) || ofName.some((other) => isSame(word, other)));
    if (!(imports || isOwn || isOther || isSharing) || (!imports && isStory(path))) return [];
    const shared = words.filter((word) => ofTest.some((other) => isSame(word, other))).length;
    return [{ path, score: shared + (imports ? 3 : 0) + (isOwn ? 1 : 0) }];
  });
  chosen.sort((one, other) => other.score - one.score || (one.path < other.path ? -1 : 1));
  return chosen.map(({ path }) => path);
}

/** The module, or the layer. */
function topicOf(source: string): string {
  const [, layer = "", name = ""] = source.split("/");
  return layer === "modules" ? (testedIn[name] ?? name) : layer;
}

/** The source files that a file imports. */
const importsOf = (path: string, text: string): string[] =>
  [...text.matchAll(/from "(\.[^"]+)"/g)].map(([, to = ""]) => join(dirname(path), to));

/** In a browser: it takes long, and what it shows of a module has tests of its own. */
const isStory = (path: string): boolean => path.startsWith("test/console/");

const wordsOf = (path: string): string[] => path.split(/\W+/);

/** `invoice` and `invoices`. */
const isSame = (one: string, other: string): boolean =>
  one.length > 3 && other.length > 3 && one.slice(0, 5) === other.slice(0, 5);
