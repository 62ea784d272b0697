import type { Clock } from "../../../core/clock.ts";
import type { PersonId } from "../../../core/ids.ts";
import { allRows } from "../../../storage/personal-data.ts";
import type { Tenant } from "../../../storage/store.ts";
import { listPart } from "./json-parts.ts";
import type { Content } from "./parts.ts";
import { listGround, listHeld, listSigned, listTaken, trainedIn } from "./training.queries.ts";

type Reads = Pick<Tenant, "read">;

/** Few enough rows for one turn of the event loop. */
const PIECE = 50;

/** A student's training: each enrollment with its progress, and what it is computed from besides flights. */
export function* trainingParts(tenant: Reads, student: PersonId, clock: Clock): Generator<Content> {
  yield listPart("training", trainings(tenant, student, clock));
  const lists = { signoffs: listSigned, ground_sessions: listGround, exams: listTaken };
  for (const [name, list] of Object.entries(lists))
    yield listPart(
      name,
      allRows(tenant, (reader, page) => list(reader, student, page), PIECE),
    );
}

async function* trainings(tenant: Reads, student: PersonId, clock: Clock): AsyncGenerator<unknown> {
  const enrollments = allRows(tenant, (reader, page) => listHeld(reader, student, page), PIECE);
  for await (const row of enrollments)
    yield await tenant.read((reader) => trainedIn(reader, row as Parameters<typeof trainedIn>[1], clock.now()));
}
