/** A pack for another school: everything that counts there, and nothing else that is kept about the person. */
import { z } from "zod";
import type { Clock } from "../../../core/clock.ts";
import type { LegalDate } from "../../../core/dates.ts";
import type { PersonId } from "../../../core/ids.ts";
import type { Tenant } from "../../../storage/store.ts";
import { plus, type Totals } from "../../../storage/totals.ts";
import { findOpeningTotals } from "../../logbooks/logbook.queries.ts";
import { type Sum, sums } from "../../logbooks/logbooks.schemas.ts";
import type { Contents } from "./contents.ts";
import { listPart, rowsOf, valuePart } from "./json-parts.ts";
import { type Flight, findHolder, listFiles, listFlights, listRecords, packedRecords } from "./pilot.queries.ts";
import { trainingParts } from "./training-parts.ts";

type Reads = Pick<Tenant, "read">;

const zeros = Object.fromEntries(Object.keys(sums).map((sum) => [sum, 0])) as Totals<Sum>;

/** Counts flights while they are written. */
class Flown {
  count = 0;
  from: LegalDate | null = null;
  to: LegalDate | null = null;
  /** By whether they were approved here. */
  approved = zeros;
  imported = zeros;

  async *counting(rows: AsyncIterable<unknown>): AsyncGenerator<unknown> {
    for await (const row of rows) {
      this.#add(row as Flight);
      yield row;
    }
  }

  #add(row: Flight): void {
    const date = row.date as LegalDate;
    this.count += 1;
    this.from ??= date;
    this.to = date;
    if (row.imported) this.imported = plus(this.imported, row);
    else this.approved = plus(this.approved, row);
  }
}

async function* only(rows: AsyncIterable<unknown>, isPacked: (row: unknown) => boolean): AsyncGenerator<unknown> {
  for await (const row of rows) if (isPacked(row)) yield row;
}

/** @throws NOT_FOUND no such person */
export async function pilotContents(tenant: Reads, personId: PersonId, clock: Clock): Promise<Contents> {
  const about = await tenant.read((reader) => findHolder(reader, personId));
  const opening = z
    .looseObject({ as_of: z.unknown() })
    .parse((await tenant.read((reader) => findOpeningTotals(reader, personId))).value);
  const packed = await tenant.read((reader) => packedRecords(reader, personId, clock.now()));
  const flown = new Flown();
  return {
    subject: { kind: "person", id: about.id, name: about.name },
    *parts() {
      yield valuePart("person", () => about);
      const flights = rowsOf(tenant, (reader, page) => listFlights(reader, { ...page, person_id: personId }));
      yield listPart("flights", flown.counting(flights));
      yield valuePart("totals", () => ({ opening, approved: flown.approved, imported: flown.imported }));
      const records = rowsOf(tenant, (reader, page) => listRecords(reader, personId, page));
      yield listPart(
        "records",
        only(records, (row) => packed.has((row as { id: string }).id)),
      );
      const files = rowsOf(tenant, (reader, page) => listFiles(reader, personId, page));
      yield listPart(
        "attachments",
        only(files, (row) => packed.has((row as { record_id: string }).record_id)),
      );
      yield* trainingParts(tenant, personId, clock);
    },
    summary: () => ({
      period: { from: flown.from, to: flown.to },
      figures: {
        type: "pilot_portable",
        flights: flown.count,
        approved_minutes: flown.approved.total_minutes,
        imported_minutes: flown.imported.total_minutes,
      },
    }),
  };
}
