import type { Clock } from "../../../core/clock.ts";
import type { PersonId } from "../../../core/ids.ts";
import type { Tenant } from "../../../storage/store.ts";
import { listPart, rowsOf } from "./json-parts.ts";
import type { Content } from "./parts.ts";
import { listGiven, listGround, listHeld, listSigned, listTaken, trainedIn } from "./training.queries.ts";

type Reads = Pick<Tenant, "read">;

/** A student's training: each enrollment with its progress, and what it is computed from besides flights. */
export function* trainingParts(tenant: Reads, student: PersonId, clock: Clock): Generator<Content> {
  yield listPart("training", trainings(tenant, student, clock));
  const lists = { lesson_records: listGiven, signoffs: listSigned, ground_sessions: listGround, exams: listTaken };
  for (const [name, list] of Object.entries(lists))
    yield listPart(
      name,
      rowsOf(tenant, (reader, page) => list(reader, student, page)),
    );
}

async function* trainings(tenant: Reads, student: PersonId, clock: Clock): AsyncGenerator<unknown> {
  const enrollments = rowsOf(tenant, (reader, page) => listHeld(reader, student, page));
  for await (const row of enrollments)
    yield await tenant.read((reader) => trainedIn(reader, row as Parameters<typeof trainedIn>[1], clock.now()));
}
