import { type Issue, invalid, throwIfAny } from "../../../core/errors.ts";
import { classesOf, type ProgramKind } from "../programs/program-kinds.ts";
import type { FlownClass } from "../training.values.ts";
import { maxItems, type Syllabus } from "./syllabus.schemas.ts";

type Parts = Pick<Syllabus, "theory" | "subjects" | "minima" | "scales" | "phases" | "lessons">;

/** Checks that codes are unique and name what exists, and that lessons require earlier ones only. @throws VALIDATION_ERROR */
export function checkSyllabus(parts: Parts): void {
  const [first, ...rest] = issuesOf(parts).slice(0, 20);
  if (first !== undefined) throw invalid(first, ...rest);
}

function issuesOf({ theory, subjects, minima, scales, phases, lessons }: Parts): Issue[] {
  const issues: Issue[] = [
    ...repeated("subjects", subjects),
    ...repeated("scales", scales),
    ...repeated("phases", phases),
    ...repeated("lessons", lessons),
    ...repeated(
      "minima",
      minima.map(({ measure }) => ({ code: measure })),
    ),
    ...scales.flatMap(({ grades }, at) => repeated(`scales.${at}.grades`, grades)),
  ];
  if (theory === null && subjects.length > 0)
    issues.push(issue("theory", "required", "Subjects need the rules of their exams."));
  const known = { scales: codesOf(scales), phases: codesOf(phases) };
  const earlier = new Set<string>();
  let items = 0;
  for (const [at, lesson] of lessons.entries()) {
    const path = `lessons.${at}`;
    items += lesson.items.length;
    if (lesson.phase !== null && !known.phases.has(lesson.phase))
      issues.push(issue(`${path}.phase`, "unknown", "There is no phase with this code."));
    for (const [place, required] of lesson.requires.entries())
      if (!earlier.has(required))
        issues.push(issue(`${path}.requires.${place}`, "unknown", "There is no earlier lesson with this code."));
    issues.push(...repeated(`${path}.items`, lesson.items));
    for (const [place, { scale, milestone }] of lesson.items.entries()) {
      if (!known.scales.has(scale))
        issues.push(issue(`${path}.items.${place}.scale`, "unknown", "There is no grading scale with this code."));
      if (milestone !== null && lesson.kind !== "solo")
        issues.push(issue(`${path}.items.${place}.milestone`, "impossible", "Only an item of a solo lesson is one."));
    }
    earlier.add(lesson.code);
  }
  if (items > maxItems)
    issues.push({
      path: "lessons",
      code: "too_many",
      params: { max: maxItems },
      message: `The lessons have ${items} items; ${maxItems} are allowed.`,
    });
  return issues;
}

const codesOf = (parts: readonly { code: string }[]) => new Set(parts.map(({ code }) => code));

function repeated(path: string, parts: readonly { code: string }[]): Issue[] {
  const seen = new Set<string>();
  return parts.flatMap(({ code }, at) => {
    const isRepeated = seen.has(code);
    seen.add(code);
    return isRepeated ? [issue(`${path}.${at}`, "duplicate", `The code ${code} is used twice.`)] : [];
  });
}

const issue = (path: string, code: Issue["code"], message: string): Issue => ({ path, code, message });

/**
 * Returns the classes that count towards the minima of a program.
 *
 * @throws VALIDATION_ERROR one of them does not count for the licence
 */
export function countedClasses(kind: ProgramKind, named: Syllabus["aircraft_classes"]): Syllabus["aircraft_classes"] {
  const allowed: readonly FlownClass[] | undefined = classesOf[kind];
  if (allowed === undefined) return named;
  if (named === null) return [...allowed];
  throwIfAny(
    named.flatMap((name, at) =>
      allowed.includes(name)
        ? []
        : [issue(`aircraft_classes.${at}`, "impossible", `Training for ${kind} is in ${allowed.join(", ")}.`)],
    ),
  );
  return named;
}
