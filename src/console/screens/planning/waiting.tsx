/** Who waits for a free time, and what was offered to them: booked, declined or taken off the list for them. */
import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { PlanningWish } from "../../api/operations.ts";
import { act } from "../../app/change.ts";
import { today } from "../../app/days.ts";
import { formatDate, formatDateTime, formatDay, lastDay, zone } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { dayAfter, instantAt } from "../../app/local-time.ts";
import { may } from "../../app/permissions.ts";
import { changed, useResource } from "../../app/resource.ts";
import { call } from "../../app/session.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Combobox } from "../../ui/combobox.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { failed } from "../../ui/failed.ts";
import { Form, SelectField, Submit, TextField } from "../../ui/form.tsx";
import { Rows } from "../../ui/rows.tsx";
import { Loaded } from "../../ui/section.tsx";
import { toast } from "../../ui/toast.tsx";
import { BookDialog, type Chosen } from "../bookings/book-dialog.tsx";
import { spanOf } from "../bookings/times.ts";
import { offerOf } from "../bookings/waiting-list.tsx";
import { usePeople } from "../people/use-people.ts";
import type { Row } from "./rows.ts";
import { planningText } from "./words.ts";

export interface WaitingProps {
  rows: readonly Row[];
  types: readonly string[];
  onClose: () => void;
}

export default function Waiting({ rows, types, onClose }: WaitingProps) {
  const words = planningText();
  const waiting = words.waiting;
  const isAdding = useSignal(false);
  const taking = useSignal<{ chosen: Chosen; personId: string } | undefined>(undefined);
  const offered = useResource("GET /orgs/{orgId}/planning/wishes", { query: { status: "offered", limit: 100 } });
  const open = useResource("GET /orgs/{orgId}/planning/wishes", { query: { status: "waiting", limit: 100 } });
  if (taking.value) return <BookDialog {...taking.value} onClose={onClose} />;
  const end = (wish: PlanningWish, how: "decline" | "withdraw") =>
    act(`POST /orgs/{orgId}/planning/wishes/{wishId}/${how}`, { path: { wishId: wish.id } }, wish)
      .then(() => changed("/planning/wishes"))
      .then(() => toast(how === "decline" ? waiting.declined : waiting.withdrawn), failed);
  const rowOf = (wish: PlanningWish) => {
    const offer = offerOf(wish);
    const what = waiting.waits(wish.minutes, wish.icao_type ?? waiting.anything);
    return {
      id: wish.id,
      title: wish.person_name,
      detail: offer
        ? [
            spanOf(offer.start_at, offer.end_at),
            offer.aircraft?.registration,
            offer.instructor_name,
            wish.offered_until && waiting.until(formatDateTime(wish.offered_until)),
          ]
            .filter(Boolean)
            .join(" · ")
        : [what, wish.instructor_name, `${formatDate(wish.from_at)} – ${formatDay(lastDay(wish.until_at))}`]
            .filter(Boolean)
            .join(" · "),
      aside: (
        <>
          {offer && <Badge tone="good">{waiting.offered}</Badge>}
          {offer && may("planning:manage") && (
            <Button
              onClick={() => {
                taking.value = { chosen: offer, personId: wish.person_id };
              }}
            >
              {waiting.take}
            </Button>
          )}
          {may("planning:manage") && (
            <Button kind="plain" onClick={() => end(wish, offer ? "decline" : "withdraw")}>
              {offer ? waiting.decline : waiting.withdraw}
            </Button>
          )}
        </>
      ),
    };
  };
  return (
    <Dialog title={waiting.title} onClose={onClose} wide>
      <Loaded resource={offered}>
        {({ data: first }) => (
          <Loaded resource={open}>
            {({ data: rest }) => (
              <Rows label={waiting.title} empty={waiting.none} most={20} rows={[...first, ...rest].map(rowOf)} />
            )}
          </Loaded>
        )}
      </Loaded>
      {may("planning:manage") &&
        (isAdding.value ? (
          <Add
            {...{ rows, types }}
            onDone={() => {
              isAdding.value = false;
            }}
          />
        ) : (
          <div class="form-actions">
            <Button
              icon="plus"
              onClick={() => {
                isAdding.value = true;
              }}
            >
              {waiting.add}
            </Button>
          </div>
        ))}
    </Dialog>
  );
}

function Add({ rows, types, onDone }: Pick<WaitingProps, "rows" | "types"> & { onDone: () => void }) {
  const words = planningText();
  const { waiting } = words;
  const person = useSignal("");
  const typed = useSignal("");
  const { people } = usePeople(typed.value);
  const type = useSignal("");
  const instructor = useSignal("");
  const minutes = useSignal("90");
  const from = useSignal(today());
  const until = useSignal(dayAfter(today(), 14));
  const options = useMemo(() => people.map(({ id, name }) => ({ value: id, label: name })), [people]);
  const add = async () => {
    const begin = instantAt(from.value, "00:00", zone()) ?? "";
    const isPast = begin <= new Date().toISOString();
    await call("POST /orgs/{orgId}/planning/wishes", {
      body: {
        person_id: person.value,
        icao_type: type.value || null,
        instructor_id: instructor.value || null,
        minutes: Number(minutes.value),
        // What has begun can't be waited for.
        from_at: isPast ? new Date(Date.now() + 60_000).toISOString() : begin,
        until_at: instantAt(dayAfter(until.value), "00:00", zone()) ?? "",
      },
    });
    onDone();
    await changed("/planning/wishes");
    toast(waiting.added);
  };
  return (
    <Form onSubmit={add} label={waiting.add}>
      <div class="fields close">
        <Combobox
          name="person_id"
          label={waiting.person}
          value={person}
          options={options}
          required
          onType={(value) => {
            typed.value = value;
          }}
        />
        <SelectField
          name="icao_type"
          label={waiting.type}
          value={type}
          required={false}
          options={[{ value: "", label: waiting.anything }, ...types.map((value) => ({ value, label: value }))]}
        />
        <SelectField
          name="instructor_id"
          label={words.instructor}
          value={instructor}
          required={false}
          options={[
            { value: "", label: words.nothing },
            ...rows.filter((row) => row.type === "instructor").map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
        <TextField name="minutes" label={waiting.minutes} type="number" value={minutes} min="15" max="1440" required />
        <TextField name="from_at" label={waiting.fromOn} type="date" value={from} required />
        <TextField name="until_at" label={waiting.untilOn} type="date" value={until} required />
      </div>
      <div class="form-actions">
        <Submit>{waiting.add}</Submit>
        <Button onClick={onDone}>{text().actions.cancel}</Button>
      </div>
    </Form>
  );
}
