/** Names beside ids in all answers to a session (src/storage/names.ts). */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { type ApiDocument, operationsOf, type Schema, sharedDocumentOf } from "../support/document.ts";
import { closeInstallations, newInstallation } from "../support/installation.ts";

/** Ids without a name beside them, and why. */
const unnamed: readonly { why: string; ids: readonly string[] }[] = [
  {
    why: "the answer is about it: the caller, the account of the person, or what the path names",
    ids: [
      "Attachment.defect_id",
      "Attachment.record_id",
      "Attachment.work_order_id",
      "Exam.enrollment_id",
      "FlightBilling.flight_id",
      "FlightRebilling.flight_id",
      "GroundSession.enrollment_id",
      "MaintenanceForecast.items.item_id",
      "Me.organizations.person_id",
      "Person.user_id",
      "PlanningResources.own_person_id",
      "StudentProgress.enrollment_id",
      "TrainingLesson.revision_id",
      "TrainingProgress.enrollment_id",
    ],
  },
  {
    why: "people have no word for it: a flight, a booking, a charge, a payment, a record",
    ids: [
      "Charge.enrollment_id",
      "Charge.flight_id",
      "Charge.rate_id",
      "Charge.reduces_id",
      "Charge.reverses_id",
      "ClearanceReason.record_id",
      "ComplianceEvaluation.reasons.record_id",
      "ComplianceEvaluation.reasons.requirement_id",
      "ComplianceMatrix.people.cells.record_id",
      "ComplianceRecord.superseded_by",
      "Defect.flight_id",
      "Dispatched.delivery_ids",
      "EvidencePack.key_id",
      "EvidencePack.superseded_by",
      "Flight.enrollment_id",
      "FlightCost.lines.rate_id",
      "HourPackage.draws.flight_id",
      "HourPackage.draws.reverses_id",
      "Invoice.lines.charge_id",
      "Invoice.lines.credits_line_id",
      "Invoice.settlements.payment_id",
      "JournalEntry.payment_id",
      "JournalEntry.refund_id",
      "JourneyLogEntry.flight_id",
      "LessonRecord.enrollment_id",
      "LessonRecord.flight_id",
      "LessonRecord.grades.signoff_id",
      "LogbookEntry.flight_id",
      "PersonRevalidations.items.record_id",
      "PlanningCheck.session_id",
      "PlanningConflict.session_id",
      "PlanningDryRun.price.lines.rate_id",
      "PlanningSeries.series_id",
      "PlanningSession.flight_id",
      "PlanningSession.series_id",
      "StatementEntry.payment_id",
      "StatementEntry.refund_id",
      "TrainingSignoff.enrollment_id",
      "TrainingSignoff.flight_id",
      "UnbilledFlight.flight_id",
    ],
  },
  {
    why: "`name`, `person`, `document_number`, `resources` or `email` beside it says it",
    ids: [
      "AgingRow.person_id",
      "CreatedStudentInvite.person_id",
      "Flight.crew.person_id",
      "Found.crew.person_id",
      "Found.aircraft_id",
      "InvoiceRunResult.invoices.person_id",
      "JournalEntry.invoice_id",
      "JournalEntry.person_id",
      "JourneyLogEntry.crew.person_id",
      "Member.user_id",
      "PlanningSession.student_ids",
      "StatementEntry.invoice_id",
      "StudentInvite.person_id",
    ],
  },
  {
    why: "it may be of several kinds, and a note, a name or a type beside it says which",
    ids: [
      "Aircraft.groundings.subject_id",
      "AircraftInNeed.groundings.subject_id",
      "CreatedShareToken.subject_id",
      "DirectoryProfile.subject_id",
      "Grounding.subject_id",
      "ShareToken.subject_id",
    ],
  },
  {
    why: "`by` is the person's name, as it was signed",
    ids: ["WorkOrder.release.person_id"],
  },
  {
    why: "it is a row of the board, which has its name",
    ids: ["PlanningBoard.busy.resource_id"],
  },
  {
    why: "it was drafted or sent in the same request",
    ids: ["FlightRebilling.credit_note_ids", "FlightRebilling.invoice_id", "InvoiceRunResult.invoices.invoice_id"],
  },
  {
    why: "of another organization",
    ids: [
      "Enrollment.credits.source.enrollment_id",
      "Enrollment.credits.source.issuer_id",
      "Enrollment.credits.source.pack_id",
    ],
  },
  {
    why: "the flight names its crew, and who approved it",
    ids: ["FlightFinding.acknowledged_by", "FlightFinding.person_id"],
  },
  {
    why: "a module above flights has it, and `lesson` says what was flown",
    ids: ["Flight.lesson_id"],
  },
  {
    why: "for the operator, who has the files by their ids",
    ids: ["UnusableTenant.organization_id"],
  },
  {
    why: "one name is beside both: of the person, or the registration",
    ids: ["ComplianceRequirementDryRun.subjects.aircraft_id", "ComplianceRequirementDryRun.subjects.person_id"],
  },
];

const words = ["name", "registration", "number", "title", "url"];

let document: ApiDocument;
beforeAll(async () => {
  document = sharedDocumentOf((await newInstallation()).app);
});
afterAll(closeInstallations);

const componentOf = ({ $ref }: Schema) => $ref?.split("/").at(-1) ?? "";

const variantsOf = (schema: Schema): Schema[] => {
  const found = schema.$ref === undefined ? schema : document.components.schemas[componentOf(schema)];
  if (!found) throw new Error(`The document has no ${schema.$ref}.`);
  return [found, ...[...(found.anyOf ?? []), ...(found.allOf ?? [])].flatMap(variantsOf)];
};

const isId = (schema: Schema): boolean =>
  variantsOf(schema).some(({ format, items }) => format === "uuid" || (items !== undefined && isId(items)));

const hasProperties = (schema: Schema): boolean =>
  variantsOf(schema).some(({ properties, items }) => properties !== undefined || (items && hasProperties(items)));

/** Returns whether an id has the name of its record beside it, or an object with the name: `student` for `student_id`. */
function isNamed(id: string, beside: Record<string, Schema>): boolean {
  const stem = id.replace(/_ids?$/, "");
  const record = beside[id.endsWith("_ids") ? `${stem}s` : stem];
  return words.some((word) => `${stem}_${word}` in beside) || (record !== undefined && hasProperties(record));
}

/** Returns the ids in an answer, by the component and the place in it, each with whether it has its name. */
function idsIn(schema: Schema, place: string, found: Map<string, boolean>): Map<string, boolean> {
  const component = componentOf(schema);
  if (component !== "" && [...found.keys()].some((known) => known.startsWith(`${component}.`))) return found;
  const at = component || place;
  for (const { properties = {}, items } of variantsOf(schema)) {
    if (items) idsIn(items, at, found);
    for (const [name, property] of Object.entries(properties)) {
      if (name !== "id" && isId(property)) found.set(`${at}.${name}`, isNamed(name, properties));
      idsIn(property, `${at}.${name}`, found);
    }
  }
  return found;
}

const isOfSession = ({ security = [] }: { security?: Record<string, string[]>[] }) =>
  security.some((scheme) => "session" in scheme);

const idsInAnswers = (): Map<string, boolean> => {
  const found = new Map<string, boolean>();
  for (const [route, operation] of operationsOf(document))
    if (isOfSession(operation))
      for (const [status, { content }] of Object.entries(operation.responses)) {
        const schema = content?.["application/json"]?.schema;
        if (status < "300" && schema) idsIn(schema, route, found);
      }
  return found;
};

test("each id in an answer to a session has its name beside it, or a reason why it has none", () => {
  const without = [...idsInAnswers()].flatMap(([id, isNamed]) => (isNamed ? [] : [id]));
  expect(without.sort()).toEqual(unnamed.flatMap(({ ids }) => ids).sort());
});
