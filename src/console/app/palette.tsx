/**
 * Ctrl-K: finds a person, a registration, a flight, an invoice number, or a screen, by any word or its beginning. A combobox whose list
 * is always open (WAI-ARIA, combobox pattern with a list box).
 */
import { useComputed, useSignal } from "@preact/signals";
import { useEffect, useId, useLayoutEffect, useRef } from "preact/hooks";
import { startsIn, wordsIn, wordsOf } from "../../core/words.ts";
import type { Found } from "../api/operations.ts";
import { ProblemNotice } from "../ui/states.tsx";
import { formatDate, formatMoney } from "./format.ts";
import { text } from "./language.ts";
import { may } from "./permissions.ts";
import { go } from "./router.ts";
import { isScreen, openAreas } from "./screens.ts";
import { call } from "./session.ts";

interface Entry {
  id: string;
  title: string;
  detail: string;
  /** What it is. */
  kind: string;
  href: string;
}

/** Milliseconds after the last key before the server is asked. */
const pause = 120;

export function Palette({ onClose }: { onClose: () => void }) {
  const { app, palette: words } = text();
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const typed = useSignal("");
  const found = useSignal<readonly Entry[]>([]);
  const problem = useSignal<unknown>(undefined);
  const chosen = useSignal(0);
  const screens = useComputed(() => screensWith(typed.value));
  const entries = [...screens.value, ...found.value];

  useLayoutEffect(() => dialog.current?.showModal(), []);
  const q = typed.value.trim();
  useEffect(() => {
    if (q === "") {
      found.value = [];
      return;
    }
    const controller = new AbortController();
    const timer = setTimeout(async () => {
      try {
        const { data } = await call("GET /orgs/{orgId}/search", { query: { q }, signal: controller.signal });
        found.value = data.map(entryOf).filter(({ href }) => isScreen(href));
        problem.value = undefined;
        chosen.value = 0;
      } catch (error) {
        if (!controller.signal.aborted) problem.value = error;
      }
    }, pause);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [q]);

  const open = (entry: Entry | undefined) => {
    if (!entry) return;
    onClose();
    go(entry.href);
  };
  const move = (by: number) => {
    if (entries.length === 0) return;
    chosen.value = (chosen.value + by + entries.length) % entries.length;
    document.getElementById(`${id}-${chosen.value}`)?.scrollIntoView({ block: "nearest" });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    if (event.key === "ArrowDown") move(1);
    else if (event.key === "ArrowUp") move(-1);
    else if (event.key === "Enter") open(entries[chosen.value]);
    else return;
    event.preventDefault();
  };

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does the same
    <dialog
      ref={dialog}
      class="palette wide"
      aria-label={app.search}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      <input
        class="input"
        role="combobox"
        aria-label={app.search}
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={entries.length > 0 ? `${id}-${chosen.value}` : undefined}
        aria-autocomplete="list"
        autocomplete="off"
        spellcheck={false}
        placeholder={words.hint}
        maxLength={100}
        value={typed.value}
        onInput={({ currentTarget }) => {
          typed.value = currentTarget.value;
          chosen.value = 0;
        }}
        onKeyDown={onKeyDown}
      />
      {problem.value !== undefined && <ProblemNotice error={problem.value} />}
      <div id={`${id}-list`} role="listbox" aria-label={words.results} class="options">
        {entries.map((entry, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field, which keeps the focus
          // biome-ignore lint/a11y/useFocusableInteractive: as above
          <div
            key={entry.id}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === chosen.value}
            onClick={() => open(entry)}
            onPointerMove={() => {
              chosen.value = index;
            }}
          >
            <span class="row-title">{entry.title}</span>
            <span class="row-detail">{entry.detail}</span>
            <span class="quiet small">{entry.kind}</span>
          </div>
        ))}
      </div>
      <p class="visually-hidden" role="status">
        {q !== "" && words.count(entries.length)}
      </p>
      {q !== "" && entries.length === 0 && <p class="quiet options">{words.nothing}</p>}
    </dialog>
  );
}

function screensWith(typed: string): Entry[] {
  const { areas: names, palette, flights, aircraft, today } = text();
  const wanted = wordsIn(typed);
  const screen = (title: string, path: string): Entry => {
    return { id: path, title, detail: "", kind: palette.kinds.screen, href: path };
  };
  const actions = [
    screen(flights.add, "/app/flights/new"),
    screen(flights.approvals, "/app/flights/approvals"),
    screen(aircraft.reportTitle, "/app/defects/new"),
    // Who sees the board books there.
    ...(may("planning:read") ? [] : [screen(today.book, "/app/bookings/new")]),
  ].map((entry) => ({ ...entry, kind: palette.kinds.action }));
  return [
    ...openAreas().map(({ name, path }) => screen(names[name], path)),
    ...actions.filter(({ href }) => isScreen(href)),
  ].filter(({ title }) => startsIn(wordsOf(title), wanted));
}

function entryOf(one: Found): Entry {
  const { palette, people } = text();
  const entry = (detail: readonly (string | null | false)[], href: string): Entry => ({
    id: `${one.kind} ${one.id}`,
    title: one.title,
    detail: detail.filter(Boolean).join(" · "),
    kind: palette.kinds[one.kind],
    href,
  });
  switch (one.kind) {
    case "person":
      return entry([one.types.map((type) => people.types[type]).join(", "), one.email], `/app/people/${one.id}`);
    case "member":
      return entry([one.email], "/app/settings/members");
    case "aircraft":
      return entry([one.model, one.icao_type], `/app/aircraft/${one.id}`);
    case "flight":
      return entry(
        [
          one.off_block_at && formatDate(one.off_block_at),
          [one.departure, one.arrival].filter(Boolean).join("–"),
          one.crew.map(({ name }) => name).join(", "),
        ],
        `/app/flights/${one.id}`,
      );
    case "work_order":
      return entry([one.registration], `/app/maintenance/work-orders/${one.id}`);
    case "invoice":
      return entry([one.person.name, formatMoney(one.gross_minor, one.currency)], `/app/money/invoices/${one.id}`);
    case "program":
      return entry([], `/app/training/programs/${one.id}`);
  }
}
