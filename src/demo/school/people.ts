/** The people of the demo school. The first is its owner. */
import type { Person } from "./person.ts";
import { pilots } from "./pilots.ts";
import { instructors, staff } from "./staff.ts";
import { students } from "./students.ts";

export const people: readonly Person[] = [...staff, ...instructors, ...students, ...pilots];
