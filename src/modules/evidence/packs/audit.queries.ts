/** What the PDF of an organization's state has besides the parts: its programmes, and who is trained by them. The readers do not check an actor. */
import { and, eq, gte, inArray, isNull, lt, lte, or } from "drizzle-orm";
import type { AircraftId } from "../../../core/ids.ts";
import { idOf } from "../../../http/fields.ts";
import { columns } from "../../../storage/columns.ts";
import { ascending, type PageRequest, pageBody } from "../../../storage/page.ts";
import { fieldsOf, part, type Resource } from "../../../storage/shape.ts";
import type { Reader } from "../../../storage/store.ts";
import { complianceRecords as records } from "../../compliance/compliance.tables.ts";
import { type AsOf, stands } from "../../compliance/records/standing.queries.ts";
import { enrollment } from "../../training/enrollments/enrollments.shapes.ts";
import { heldRecord } from "../../training/file/file.shapes.ts";
import {
  trainingEnrollments as enrollments,
  trainingPrograms as programs,
  trainingRevisions as revisions,
} from "../../training/training.tables.ts";
import { yearBefore } from "./maintenance.queries.ts";

type TenantReader = Reader<"tenant">;

/** Returns the revisions that were published by the end of the day, the newest of a programme first. */
export const programsOn = (reader: TenantReader, { end }: AsOf) =>
  reader
    .select({
      ...{ name: programs.name, kind: programs.kind, revision_id: revisions.id, number: revisions.number },
      ...{
        legal_basis: revisions.legal_basis,
        effective_from: revisions.effective_from,
        retired_at: revisions.retired_at,
      },
    })
    .from(revisions)
    .innerJoin(programs, eq(programs.id, revisions.program_id))
    .where(lt(revisions.published_at, end))
    .orderBy(programs.name, programs.id, revisions.number);

const trained = part(
  fieldsOf(enrollment, "id", "student", "program", "revision_id", "status", "started_on", "ended_on"),
);
export type Trained = Resource<typeof trained>;

/** Enrollments that had begun on the day, without what had ended a year before. */
export const listTrainedOn = (reader: TenantReader, asOf: AsOf, page: PageRequest) =>
  pageBody(reader, trained, {
    ...page,
    from: enrollments,
    where: and(
      lte(enrollments.started_on, asOf.date),
      or(isNull(enrollments.ended_on), gte(enrollments.ended_on, yearBefore(asOf))),
    ),
    orderBy: ascending(trained, "id"),
  });

const paper = part({ ...heldRecord.fields, ...columns(records, { aircraft_id: idOf<"aircraft">() }) });
export type Paper = Resource<typeof paper>;

/** The records of aircraft that counted on the day. @param withdrawn see `withdrawnOnes` */
export const listPapersOn =
  (withdrawn: string, ids: readonly AircraftId[]) => (reader: TenantReader, asOf: AsOf, page: PageRequest) =>
    pageBody(reader, paper, {
      ...page,
      from: records,
      where: and(inArray(records.aircraft_id, [...ids]), stands(asOf, withdrawn)),
      orderBy: ascending(paper, "id"),
    });
