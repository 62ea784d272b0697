/** Rules for the crew of a flight. The functions on board follow AMC1 FCL.050. */
import type { Issue } from "../../core/errors.ts";
import type { CrewFunction, CrewMember } from "../rules/crew.values.ts";

/** The function that must be on board for another: an instructor for SPIC and dual, a PIC for PICUS and co-pilots. */
const requiredFunction: Partial<Record<CrewFunction, CrewFunction>> = {
  dual: "instructor",
  spic: "instructor",
  picus: "pic",
  co_pilot: "pic",
};

interface On {
  passengers: number;
  /** How many pilots the aircraft is flown by. */
  pilots: 1 | 2;
}

/** Returns what prevents a crew from being submitted. */
export function crewIssues(crew: readonly CrewMember[], { passengers, pilots }: On): Issue[] {
  const issues: Issue[] = [];
  const report = (path: string, message: string) => issues.push({ path, code: "crew", message });

  const commanders = crew.filter(({ function: f }) => f === "pic" || f === "instructor" || f === "solo");
  if (commanders.length !== 1) report("crew", "Exactly one crew member must be pic, instructor or solo.");
  if (crew.some(({ function: f }) => f === "solo")) {
    if (crew.length > 1) report("crew", "A solo flight has exactly one crew member.");
    // FCL.010: the student is the sole occupant.
    if (passengers > 0) report("passengers", "A solo flight has no passengers (FCL.010).");
  }
  for (const [index, member] of crew.entries()) {
    const other = requiredFunction[member.function];
    if (other !== undefined && !crew.some(({ function: f }) => f === other)) {
      report(`crew.${index}.function`, `${member.function} requires a crew member who is ${other}.`);
    }
  }
  for (const { at, message } of instructionFaults(crew, pilots)) report(`crew.${at}.function`, message);
  return issues;
}

export const instructionFaultCodes = ["instructor_alone", "students_exceeded"] as const;

interface InstructionFault {
  code: (typeof instructionFaultCodes)[number];
  /** The place of the crew member. */
  at: number;
  message: string;
}

/**
 * Who instructs, instructs a student on board, and who is instructed sits at the controls: one beside the instructor, or two of a
 * crew of two, as in a training in multi-crew co-operation. Another student on board is a passenger and logs nothing.
 */
export function instructionFaults(crew: readonly CrewMember[], pilots: On["pilots"]): InstructionFault[] {
  const students = [...crew.entries()].filter(([, { function: f }]) => f === "dual" || f === "spic");
  const instructor = crew.findIndex(({ function: f }) => f === "instructor");
  if (students.length === 0 && instructor >= 0)
    return [
      {
        code: "instructor_alone",
        at: instructor,
        message: "An instructor trains a crew member who is dual or spic. Without one, they are pic.",
      },
    ];
  const message =
    pilots === 1
      ? "One student is trained at a time, as dual or spic. Others on board are passengers."
      : "At most two students are trained at a time, as dual or spic. Others on board are passengers.";
  return students.slice(pilots).map(([at]) => ({ code: "students_exceeded", at, message }));
}
