/**
 * The flights that wait for their approval, one after the other: what is odd is marked, and the keys j, k, a and r are enough. After each
 * the next is shown.
 */
import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Flight } from "../../api/operations.ts";
import { Problem } from "../../api/problem.ts";
import { formatDuration, formatTime } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { may } from "../../app/permissions.ts";
import { changed, useResource } from "../../app/resource.ts";
import { go, place } from "../../app/router.ts";
import { call } from "../../app/session.ts";
import { Empty, ProblemNotice, Skeleton } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import { crewOf, dayOfFlight, nameOf, Odd, routeOf } from "./parts.tsx";
import { ReasonDialog } from "./reason-dialog.tsx";
import { Review } from "./review.tsx";

type Rule = Flight["findings"][number]["rule"];
type Asking = "rejection" | "approval" | undefined;

export default function Approvals() {
  const { flights: words, actions } = text();
  const { data, problem, reload } = useResource("GET /orgs/{orgId}/flights", {
    query: { status: "submitted", limit: 100 },
  });
  const waiting = data?.data ?? [];
  const chosen = useSignal<string | undefined>(place.peek().query.get("flight") ?? undefined);
  const acknowledged = useSignal<ReadonlySet<Rule>>(new Set());
  /** What blocks only since the flight was submitted: the approval finds it. */
  const found = useSignal<readonly Rule[]>([]);
  const asking = useSignal<Asking>(undefined);
  /** A second press of the key comes before the flight has left the list. */
  const isDeciding = useRef(false);
  const refusal = useSignal<unknown>(undefined);
  /** An approval was tried before all was acknowledged. */
  const isAcknowledgementMissing = useSignal(false);
  const list = useRef<HTMLOListElement>(null);

  const index = Math.max(
    0,
    waiting.findIndex(({ id }) => id === chosen.value),
  );
  const flight = waiting[index];

  const choose = (next: Flight | undefined, focus = true) => {
    if (next?.id !== flight?.id || chosen.peek() === undefined) {
      acknowledged.value = new Set();
      found.value = [];
      refusal.value = undefined;
      isAcknowledgementMissing.value = false;
    }
    chosen.value = next?.id;
    if (focus) requestAnimationFrame(() => list.current?.querySelector<HTMLElement>("[aria-expanded=true]")?.focus());
  };
  const after = waiting[index + 1] ?? waiting[index - 1];

  const done = async (said: string, undo?: () => Promise<unknown>) => {
    const next = after;
    asking.value = undefined;
    await changed("/flights", "/aircraft", "/audit-log");
    choose(next);
    toast(said, undo && { label: actions.undo, run: undo });
  };

  const known = flight?.findings.filter(({ action }) => action === "block") ?? [];
  const blocking = [...new Set([...known.map(({ rule }) => rule), ...found.value])];
  const approve = async (reason?: string) => {
    if (!flight) return;
    const missing = blocking.find((rule) => !acknowledged.peek().has(rule));
    isAcknowledgementMissing.value = missing !== undefined;
    if (missing) {
      list.current?.querySelector<HTMLElement>(`[name="acknowledge.${missing}"]`)?.focus();
      return;
    }
    const acknowledge = [...acknowledged.peek()];
    const body = {
      revision: flight.revision,
      ...(acknowledge.length > 0 && { acknowledge }),
      ...(reason && { reason }),
    };
    await call("POST /orgs/{orgId}/flights/{flightId}/approve", { path: { flightId: flight.id }, body });
    await done(words.approved(nameOf(flight)));
  };
  const tryToApprove = async () => {
    if (isDeciding.current) return;
    isDeciding.current = true;
    refusal.value = undefined;
    try {
      await approve();
    } catch (error) {
      // Nobody else could approve it: then with a reason.
      const needsReason = error instanceof Problem && error.issues.some(({ path }) => path.endsWith("reason"));
      if (needsReason) asking.value = "approval";
      else refusal.value = error;
      if (error instanceof Problem && error.reason === "findings_not_acknowledged") {
        const { rules } = error.fields;
        found.value = rules as Rule[];
      }
    } finally {
      isDeciding.current = false;
    }
  };
  const reject = async (reason: string) => {
    if (!flight) return;
    const path = { flightId: flight.id };
    await call("POST /orgs/{orgId}/flights/{flightId}/reject", { path, body: { reason } });
    const takeBack = async () => {
      await call("POST /orgs/{orgId}/flights/{flightId}/submit", { path });
      await changed("/flights", "/audit-log");
    };
    await done(words.rejected(nameOf(flight)), may("flights:submit_any") ? takeBack : undefined);
  };

  const keys: Readonly<Record<string, () => unknown>> = {
    j: () => choose(waiting[index + 1] ?? flight),
    k: () => choose(waiting[index - 1] ?? flight),
    a: tryToApprove,
    r: () => {
      if (flight) asking.value = "rejection";
    },
  };
  // Before the browser paints: a flight that is shown can be decided.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const key = keys[event.key];
      if (!key) return;
      event.preventDefault();
      // A key that is held down goes through the list, and decides about one flight only.
      if (!event.repeat || "jk".includes(event.key)) void key();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  });

  if (!data) return problem === undefined ? <Skeleton lines={8} /> : <ProblemNotice error={problem} retry={reload} />;
  return (
    <>
      <div class="page-head">
        <h1>{words.approvals}</h1>
        {waiting.length > 0 && (
          <p class="quiet small desk-only">
            <kbd>j</kbd> <kbd>k</kbd> {words.keys.move} · <kbd>a</kbd> {words.approve} · <kbd>r</kbd> {words.reject} ·{" "}
            <kbd>Enter</kbd> {actions.open}
          </p>
        )}
      </div>
      {waiting.length === 0 && <Empty title={words.noneWaiting}>{words.noneWaitingHint}</Empty>}
      <ol class="queue" ref={list}>
        {waiting.map((one) => (
          <li key={one.id} class={one === flight ? "chosen" : undefined}>
            <button
              type="button"
              class="queue-head"
              aria-expanded={one === flight}
              onClick={() => choose(one)}
              onKeyDown={(event) => {
                if (event.key !== "Enter" || one !== flight) return;
                event.preventDefault();
                go(`/app/flights/${one.id}`);
              }}
            >
              <strong>
                {dayOfFlight(one)} {one.off_block_at !== null && formatTime(one.off_block_at)}
              </strong>
              <strong>{one.aircraft.registration}</strong>
              <span class="queue-crew">{crewOf(one)}</span>
              <span>{routeOf(one)}</span>
              <span class="number">{one.block_minutes !== null && formatDuration(one.block_minutes)}</span>
              <span class="queue-odd">
                <Odd {...one} />
              </span>
            </button>
            {one === flight && (
              <Review
                flight={one}
                blocking={blocking}
                acknowledged={acknowledged}
                isAcknowledgementMissing={
                  isAcknowledgementMissing.value && blocking.some((rule) => !acknowledged.value.has(rule))
                }
                refusal={refusal.value}
                onApprove={tryToApprove}
                onReject={() => {
                  asking.value = "rejection";
                }}
              />
            )}
          </li>
        ))}
      </ol>
      {asking.value && flight && (
        <ReasonDialog
          {...(asking.value === "rejection"
            ? { title: words.rejectTitle, hint: words.rejectHint, action: words.reject, onGive: reject }
            : { title: words.ownTitle, hint: words.ownHint, action: words.approve, onGive: approve })}
          onClose={() => {
            asking.value = undefined;
          }}
        />
      )}
    </>
  );
}

/** Letters are typed there, and no commands. */
const isTyping = (target: EventTarget | null): boolean =>
  document.querySelector("dialog[open]") !== null ||
  (target instanceof HTMLElement && target.matches("textarea, select, input:not([type=checkbox])"));
