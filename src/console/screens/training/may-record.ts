import type { Enrollment } from "../../api/operations.ts";
import { may } from "../../app/permissions.ts";
import { organization } from "../../app/session.ts";

/** Whether the caller is the student. Nobody records or completes their own training. */
export const isOwn = ({ student_id }: Pick<Enrollment, "student_id">): boolean =>
  organization.value?.person_id === student_id;

/** Whether the caller may record lessons, grades and exams in a training. */
export const mayRecordFor = (enrollment: Pick<Enrollment, "student_id" | "status">): boolean =>
  enrollment.status === "active" && may("training:record") && !isOwn(enrollment);
