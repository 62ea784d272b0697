/** What the PDF of an organization's state has besides the parts: its programmes, and who is trained by them. The readers do not check an actor. */
import { and, eq, sql } from "drizzle-orm";
import type { AircraftId } from "../../../core/ids.ts";
import { lookUpAll } from "../../../storage/lookup.ts";
import { ascending, type PageRequest, pageBody } from "../../../storage/page.ts";
import type { Reader } from "../../../storage/store.ts";
import { complianceRecords as records } from "../../compliance/compliance.tables.ts";
import { type AsOf, stands } from "../../compliance/records/standing.queries.ts";
import { defects } from "../../maintenance/maintenance.tables.ts";
import { people } from "../../people/people.tables.ts";
import type { EnrollmentRow } from "../../training/enrollments/enrollments.queries.ts";
import { heldRecord } from "../../training/file/file.shapes.ts";
import {
  trainingEnrollments as enrollments,
  trainingPrograms as programs,
  trainingRevisions as revisions,
} from "../../training/training.tables.ts";
import { startOfYearBefore, yearBefore } from "./maintenance.queries.ts";

type TenantReader = Reader<"tenant">;

const published = lookUpAll(
  {
    ...{ name: programs.name, kind: programs.kind, revision_id: revisions.id, number: revisions.number },
    ...{ legal_basis: revisions.legal_basis, effective_from: revisions.effective_from },
    retired_at: revisions.retired_at,
  },
  sql`from ${revisions} cross join ${programs} on ${programs.id} = ${revisions.program_id}
    where ${revisions.published_at} < ${sql.placeholder("end")}
    order by ${programs.name}, ${programs.id}, ${revisions.number}`,
);

/** Returns the revisions that were published by the end of the day. */
export const programsOn = (reader: TenantReader, { end }: AsOf) => published(reader, { end });

const rectified = lookUpAll(
  { work_order_id: defects.work_order_id, description: defects.description },
  sql`from ${defects} where ${defects.work_order_id} is not null
    and ${defects.rectified_at} >= ${sql.placeholder("from")} and ${defects.rectified_at} < ${sql.placeholder("end")}
    order by ${defects.id}`,
);

/** Returns the defects that releases of the year before the end of the day rectified. What a defect says never changes. */
export const rectifiedOn = async (reader: TenantReader, asOf: AsOf) =>
  rectified(reader, { end: asOf.end, from: await startOfYearBefore(reader, asOf) });

/** With the names of student and programme. */
export interface Trained extends Pick<EnrollmentRow, "id" | "revision_id" | "status" | "started_on" | "ended_on"> {
  student: string;
  program: string;
}

const trained = lookUpAll(
  {
    ...{ id: enrollments.id, student: people.name, program: programs.name, revision_id: enrollments.revision_id },
    ...{ status: enrollments.status, started_on: enrollments.started_on, ended_on: enrollments.ended_on },
  },
  sql`from ${enrollments} cross join ${people} on ${people.id} = ${enrollments.student_id}
    cross join ${programs} on ${programs.id} = ${enrollments.program_id}
    where ${enrollments.started_on} <= ${sql.placeholder("date")}
      and (${enrollments.ended_on} is null or ${enrollments.ended_on} >= ${sql.placeholder("from")})
    order by ${enrollments.id}`,
);

/** Returns the enrollments that had begun on the day, without what had ended a year before. */
export const trainedOn = (reader: TenantReader, asOf: AsOf): Promise<Trained[]> =>
  trained(reader, { date: asOf.date, from: yearBefore(asOf) });

/** The records of an aircraft that counted on the day. @param withdrawn see `withdrawnOnes` */
export const listPapersOn =
  (aircraft: AircraftId, withdrawn: string) => (reader: TenantReader, asOf: AsOf, page: PageRequest) =>
    pageBody(reader, heldRecord, {
      ...page,
      from: records,
      where: and(eq(records.aircraft_id, aircraft), stands(asOf, withdrawn)),
      orderBy: ascending(heldRecord, "id"),
    });
