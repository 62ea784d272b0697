/** All streams of changes of this process: who has how many, their heartbeats, and when they end. */
import { type Clock, seconds, toInstant } from "../../core/clock.ts";
import { Problem } from "../../core/errors.ts";
import type { OrgId, UserId } from "../../core/ids.ts";
import type { ChangeKind } from "../../storage/change-kinds.ts";
import type { Commits } from "../../storage/commits.ts";
import type { InOrganization } from "../../storage/context.ts";
import type { Control } from "../../storage/store.ts";
import type { TenantStore } from "../../storage/tenant-store.ts";
import { Feed } from "./feed.ts";
import { ChangeStream } from "./stream.ts";

/** Of an account: windows of a browser, and programs. */
const mostOfAccount = 10;
/** Of this process: each may have a buffer of 128 KiB that its client does not read. */
const mostInAll = 2000;

/** Milliseconds. Bun closes a connection that is silent for 10 s, and proxies after 30 to 60 s. */
export const usualHeartbeat = seconds(5);

export interface StreamsDeps {
  control: Control;
  tenants: Pick<TenantStore, "tenant">;
  commits: Commits;
  clock: Clock;
  kinds: readonly ChangeKind[];
  /** Aborted when the server stops. */
  stopping: AbortSignal;
  log: { warn(details: object, message: string): void };
  heartbeat: number;
}

export class ChangeStreams {
  readonly #deps: StreamsDeps;
  readonly #kinds: ReadonlyMap<string, ChangeKind>;
  readonly #feeds = new Map<OrgId, Feed>();
  readonly #watches = new Map<Feed, Disposable>();
  /** The oldest first. */
  readonly #ofAccount = new Map<UserId, Set<ChangeStream>>();
  #count = 0;
  #heartbeat: ReturnType<typeof setInterval> | undefined;

  constructor(deps: StreamsDeps) {
    this.#deps = deps;
    this.#kinds = new Map(deps.kinds.map((kind) => [kind.kind, kind]));
    deps.commits.listen(({ orgId }) => {
      if (this.#feeds.size === 0) return;
      if (orgId !== undefined) this.#feeds.get(orgId)?.wake();
      // A session or an account: it may be the reader's of any of them.
      else for (const feed of this.#feeds.values()) feed.check();
    });
    deps.stopping.addEventListener("abort", () => this.#stop());
  }

  /**
   * Opens a stream of what the caller may read.
   *
   * @param after the last revision that the client knows
   * @throws RATE_LIMITED too many are open
   */
  async open({ actor }: InOrganization, after: string | undefined): Promise<ChangeStream["body"]> {
    const { orgId, userId, sessionId, permissions, email, expiresAt } = actor;
    if (this.#count >= mostInAll)
      throw new Problem("RATE_LIMITED", "Too many streams are open. Retry later.", { retryAfter: 60 });
    const feed = this.#feedOf(orgId);
    const reader = { userId, sessionId, permissions, email, expiresAt: expiresAt ?? toInstant(this.#deps.clock.now()) };
    const stream = new ChangeStream(reader, (ended) => this.#remove(ended, orgId, feed));
    this.#add(stream);
    try {
      await feed.join(stream, after);
    } catch (error) {
      stream.end("unavailable");
      throw error;
    }
    if (this.#deps.stopping.aborted) stream.end("unavailable");
    return stream.body;
  }

  #feedOf(orgId: OrgId): Feed {
    const known = this.#feeds.get(orgId);
    if (known) return known;
    const { control, tenants, clock, log } = this.#deps;
    const tenant = tenants.tenant(orgId);
    const onError = (err: unknown) => log.warn({ organization_id: orgId, err }, "The streams of changes have ended.");
    const feed = new Feed({ orgId, control, tenant, clock, kinds: this.#kinds, onError });
    this.#feeds.set(orgId, feed);
    this.#watches.set(feed, this.#deps.commits.watch(orgId));
    return feed;
  }

  #add(stream: ChangeStream): void {
    const { userId } = stream.reader;
    const own = this.#ofAccount.get(userId) ?? new Set();
    this.#ofAccount.set(userId, own.add(stream));
    const [oldest] = own;
    if (own.size > mostOfAccount) oldest?.end("too_many_streams");
    this.#count += 1;
    this.#heartbeat ??= setInterval(() => {
      for (const feed of this.#feeds.values()) feed.beat();
    }, this.#deps.heartbeat);
  }

  #remove(stream: ChangeStream, orgId: OrgId, feed: Feed): void {
    const { userId } = stream.reader;
    const own = this.#ofAccount.get(userId);
    own?.delete(stream);
    if (own?.size === 0) this.#ofAccount.delete(userId);
    feed.leave(stream);
    if (feed.size === 0 && this.#feeds.get(orgId) === feed) {
      this.#feeds.delete(orgId);
      this.#watches.get(feed)?.[Symbol.dispose]();
      this.#watches.delete(feed);
    }
    this.#count -= 1;
    if (this.#count > 0) return;
    clearInterval(this.#heartbeat);
    this.#heartbeat = undefined;
  }

  #stop(): void {
    for (const own of [...this.#ofAccount.values()]) for (const stream of [...own]) stream.end("unavailable");
  }
}
