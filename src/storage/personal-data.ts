/**
 * What modules keep about a person. Each module declares its part; the export (GDPR, articles 15 and 20) and the erasure
 * (article 17) are made of all parts.
 */
import { type Cursor, decodeCursor } from "../core/cursor.ts";
import type { LegalDate } from "../core/dates.ts";
import type { PersonId, UserId } from "../core/ids.ts";
import type { Bytes } from "../core/kept-body.ts";
import type { By } from "./context.ts";
import type { PageRequest } from "./page.ts";
import type { Reader, Tenant, Tx } from "./store.ts";

/** The person, with all they are or were known by. */
export interface DataSubject {
  personId: PersonId;
  /** Without those that are another's, too: what was recorded under such a name may be about them. */
  names: readonly string[];
  emails: readonly string[];
  /** The account linked now, and those before that are known to be the person's own. */
  userIds: readonly UserId[];
  /** Of an export: whether the person asks for it with their own account, and nobody at the school has looked at it. */
  isCaller?: boolean;
}

/** Records that the law obliges the school to keep. */
export interface KeptRecords {
  /** The last day. */
  until: LegalDate;
  /** What is kept, for the message: `training records`. */
  what: string;
  article: string;
}

/** A file of the export. */
export interface PersonalFile {
  name: string;
  content: AsyncIterable<Uint8Array>;
}

export interface PersonalData {
  /** Lists of the export, by name. */
  lists: Readonly<Record<string, (tenant: Pick<Tenant, "read">, subject: DataSubject) => AsyncIterable<unknown>>>;
  files?(tenant: Pick<Tenant, "read">, subject: DataSubject): AsyncIterable<PersonalFile>;
  /** Records that must be kept still, for an organization of this kind. */
  kept?(reader: Reader<"tenant">, subject: DataSubject, kind: string): Promise<KeptRecords | undefined>;
  /** @throws CONFLICT the person can't be erased before something else is done */
  check?(reader: Reader<"tenant">, subject: DataSubject): Promise<void>;
  /** Deletes the data, or the parts of it that identify the person. Runs inside the transaction of the erasure. */
  erase?(tx: Tx<"tenant">, subject: DataSubject, by: By): Promise<void>;
  /** The same of what is written about changes: logs and events. Runs after each `erase`, which may write some. */
  eraseTraces?(tx: Tx<"tenant">, subject: DataSubject, by: By): Promise<void>;
}

/** Reads all rows of a list, a page of `limit` at a time. @param list returns a page as `pageBody` does */
export async function* allRows(
  tenant: Pick<Tenant, "read">,
  list: (reader: Reader<"tenant">, page: PageRequest) => Promise<Bytes>,
  limit = 500,
): AsyncGenerator<unknown> {
  for (let cursor: Cursor | undefined, isLast = false; !isLast; ) {
    const body = await tenant.read((reader) => list(reader, { limit, cursor }));
    const { data, page }: { data: unknown[]; page: { next_cursor: string | null } } = JSON.parse(body.toString());
    yield* data;
    cursor = page.next_cursor === null ? undefined : decodeCursor(page.next_cursor);
    isLast = cursor === undefined;
  }
}
