/** The streams of one organization. They are all at one revision, and the logs are read once for all of them. */
import { type Clock, type Instant, toInstant } from "../../core/clock.ts";
import type { OrgId } from "../../core/ids.ts";
import type { ChangeKind } from "../../storage/change-kinds.ts";
import { seqOf } from "../../storage/history.ts";
import { Mutex } from "../../storage/mutex.ts";
import type { Control, Kind, Reader, Store, Tenant } from "../../storage/store.ts";
import { accessOf } from "./access.queries.ts";
import { audienceOf, type Viewer } from "./audience.ts";
import { type LogRow, logInControl, logOfTenant, type OrganizationLog } from "./log.queries.ts";
import { piecesOf, type Told } from "./pieces.ts";
import { pauseBeside, Readings } from "./readings.ts";
import { parseRevision, type Revision, revisionText } from "./revision.ts";
import { type ChangeStream, eventBytes } from "./stream.ts";

/** Rows of the logs that a stream may have missed. For one that has missed more, loading everything anew is less work. */
const mostMissed = 500;

export interface FeedDeps {
  orgId: OrgId;
  control: Control;
  tenant: Tenant;
  clock: Clock;
  kinds: ReadonlyMap<string, ChangeKind>;
  /** Called with an error that ended the streams. */
  onError(error: unknown): void;
}

export class Feed {
  readonly #deps: FeedDeps;
  readonly #logs: { readonly [K in Kind]: OrganizationLog };
  /** Those that are open, and of them those that have what they missed. */
  readonly #members = new Set<ChangeStream>();
  readonly #streams = new Set<ChangeStream>();
  readonly #mutex = new Mutex();
  /** How far all streams are. */
  #at: Revision | undefined;
  /** The streams had their access with so many writes to the control database, and have it until a session ends. */
  #checked: { changes: number; until: Instant } | undefined;
  /** A check waits for its turn. */
  #isChecking = false;
  readonly #readings = new Readings(
    () => void this.#mutex.run(() => this.#advance()).catch((error: unknown) => this.#fail(error)),
    () => pauseBeside(this.#streams.size),
  );

  constructor(deps: FeedDeps) {
    this.#deps = deps;
    this.#logs = { tenant: logOfTenant(deps.tenant), control: logInControl(deps.control, deps.orgId) };
  }

  get size(): number {
    return this.#members.size;
  }

  /** Adds a stream, and sends what it missed after a revision. @throws TENANT_UNAVAILABLE */
  join(stream: ChangeStream, after: string | undefined): Promise<void> {
    this.#members.add(stream);
    return this.#mutex.run(async () => {
      this.#at ??= await this.#present();
      const at = this.#at;
      const seen = after === undefined ? undefined : parseRevision(after);
      const missed = seen && (await this.#changesAfter(seen));
      // What was committed meanwhile is told to all streams.
      if (missed) await this.#tell(until(at, missed.rows), seen, [stream]);
      else this.#reset([stream], at);
      // Its access was looked up before its turn.
      this.#checked = undefined;
      if (stream.isOpen) this.#streams.add(stream);
    });
  }

  leave(stream: ChangeStream): void {
    this.#members.delete(stream);
    this.#streams.delete(stream);
    if (this.#members.size > 0) return;
    this.#readings.cancel();
    this.#at = undefined;
  }

  /** After a commit. */
  wake(): void {
    this.#readings.request();
  }

  /** Ends the streams of those who have lost their access. */
  check(): void {
    if (this.#isChecking) return;
    this.#isChecking = true;
    const endLost = () => {
      this.#isChecking = false;
      // Another node may have written: `changes` tells that only from one second to the next.
      this.#checked = undefined;
      return this.#endLost();
    };
    void this.#mutex.run(endLost).catch((error: unknown) => this.#fail(error));
  }

  beat(): void {
    const now = toInstant(this.#deps.clock.now());
    const revision = this.#at && revisionText(this.#at);
    for (const stream of [...this.#streams])
      if (stream.reader.expiresAt <= now) stream.end("token_expired");
      else if (revision !== undefined) stream.beat(revision);
  }

  async #advance(): Promise<void> {
    const at = this.#at;
    if (at === undefined) return;
    const changes = await this.#changesAfter(at);
    // After the rows were read: who lost the access before that gets none of them.
    await this.#endLost();
    if (this.#streams.size === 0) return;
    const streams = [...this.#streams];
    const end = changes?.end ?? (await this.#present());
    if (changes) await this.#tell(changes.rows, at, streams);
    else this.#reset(streams, end);
    // Not before: a heartbeat tells how far the clients are.
    this.#at = end;
  }

  async #present(): Promise<Revision> {
    return { tenant: await this.#logs.tenant.present(), control: await this.#logs.control.present() };
  }

  /** Returns undefined if the logs do not contain the revision, or it is too far back. */
  async #changesAfter({ tenant, control }: Revision): Promise<{ rows: Rows; end: Revision } | undefined> {
    // In the other order than they are told: what was committed after something that is told here is not told before it.
    const ofControl = await this.#logs.control.after(control, mostMissed);
    const rows = { tenant: await this.#logs.tenant.after(tenant, mostMissed), control: ofControl };
    if (rows.tenant === undefined || rows.control === undefined) return undefined;
    const end = {
      tenant: rows.tenant.at(-1)?.place ?? tenant,
      control: rows.control.at(-1)?.place ?? control,
    };
    return { rows: { tenant: rows.tenant, control: rows.control }, end };
  }

  #reset(streams: readonly ChangeStream[], at: Revision): void {
    const revision = revisionText(at);
    const bytes = eventBytes("reset", { revision }, revision);
    for (const stream of streams) stream.send(bytes, revision);
  }

  /** @param from the revision before the rows */
  async #tell(rows: Rows, from: Revision, streams: readonly ChangeStream[]): Promise<void> {
    const { tenant, control } = this.#deps;
    const viewers = streams.map(({ reader }) => reader);
    const told = [
      ...(await this.#toldOf(tenant, rows.tenant, (place) => ({ ...from, tenant: place }), viewers)),
      ...(await this.#toldOf(
        control,
        rows.control,
        (place) => ({ tenant: rows.tenant.at(-1)?.place ?? from.tenant, control: place }),
        viewers,
      )),
    ];
    const last = new Map(told.map((change) => [`${change.kind} ${change.id}`, change]));
    // A new name of the organization is in both logs.
    const changes = told.filter((change) => last.get(`${change.kind} ${change.id}`) === change);
    for (const [stream, { bytes, revision }] of piecesOf(changes, streams)) stream.send(bytes, revision);
  }

  async #toldOf<K extends Kind>(
    database: Pick<Store<K>, "read">,
    rows: readonly LogRow[],
    revisionAt: (place: string) => Revision,
    viewers: readonly Viewer[],
  ): Promise<Told[]> {
    if (rows.length === 0) return [];
    return database.read(async (reader) => {
      const changed = await this.#withMoved(reader, rows);
      const audiences = new Map<string, Awaited<ReturnType<typeof audienceOf>>>();
      for (const [name, of] of Map.groupBy(changed, ({ kind }) => kind)) {
        const kind = this.#deps.kinds.get(name);
        const ids = of.map(({ id }) => id);
        const seqs = rows.flatMap((row) => (row.kind === name ? seqOf(row.place) : []));
        if (kind) audiences.set(name, await audienceOf(reader, kind, { ids, rows: seqs }, viewers));
      }
      return changed.flatMap(({ kind, id, place }) => {
        const seenBy = audiences.get(kind)?.(id);
        return seenBy ? [{ kind, id, revision: revisionText(revisionAt(place)), seenBy }] : [];
      });
    });
  }

  /** Adds the records that moved with others. Each record comes once, where it changed last. */
  async #withMoved(reader: Reader, rows: readonly LogRow[]): Promise<LogRow[]> {
    const moved = new Map<string, { kind: string; id: string }[]>();
    for (const [name, of] of Map.groupBy(rows, ({ kind }) => kind)) {
      const moves = this.#deps.kinds.get(name)?.moves;
      if (moves === undefined) continue;
      const ids = [...new Set(of.map(({ id }) => id))];
      for (const [id, other] of await moves.of(reader, ids)) {
        const key = `${name} ${id}`;
        moved.set(key, [...(moved.get(key) ?? []), { kind: moves.kind, id: other }]);
      }
    }
    const last = new Map<string, LogRow>();
    const add = (row: LogRow) => {
      const key = `${row.kind} ${row.id}`;
      last.delete(key);
      last.set(key, row);
    };
    for (const row of rows) {
      for (const other of moved.get(`${row.kind} ${row.id}`) ?? []) add({ ...other, place: row.place });
      add(row);
    }
    return [...last.values()];
  }

  /** Asks for their access only if it may have changed, since the answer has a row for each session. */
  async #endLost(): Promise<void> {
    const { control, clock } = this.#deps;
    const now = toInstant(clock.now());
    const known = this.#checked;
    if (known === undefined || known.changes !== control.changes || known.until <= now) await this.#checkAccess();
    for (const stream of [...this.#streams]) if (stream.reader.expiresAt <= now) stream.end("token_expired");
  }

  async #checkAccess(): Promise<void> {
    const { control, clock, orgId } = this.#deps;
    const streams = [...this.#streams];
    if (streams.length === 0) return;
    // Before the query: a write during it makes the next check ask again.
    const { changes } = control;
    const sessions = streams.map(({ reader }) => reader.sessionId);
    const access = await accessOf(control, clock, orgId, sessions);
    let first: Instant | undefined;
    for (const stream of streams) {
      const { sessionId, permissions, email } = stream.reader;
      const present = access.get(sessionId);
      if (present?.permissions !== permissions || present.email !== email) stream.end("access_changed");
      else if (first === undefined || present.until < first) first = present.until;
    }
    this.#checked = first && { changes, until: first };
  }

  /** The clients connect again, and learn why it fails. */
  #fail(error: unknown): void {
    this.#deps.onError(error);
    for (const stream of [...this.#streams]) stream.end("unavailable");
  }
}

interface Rows {
  tenant: readonly LogRow[];
  control: readonly LogRow[];
}

const until = (at: Revision, { tenant, control }: Rows): Rows => ({
  tenant: tenant.filter(({ place }) => seqOf(place) <= seqOf(at.tenant)),
  control: control.filter(({ place }) => seqOf(place) <= seqOf(at.control)),
});
