/** When the school is open and when people work, and days on which they are away. */
import { type Signal, useSignal } from "@preact/signals";
import type { PlanningAbsence, PlanningHours } from "../../api/operations.ts";
import { act } from "../../app/change.ts";
import { today } from "../../app/days.ts";
import { formatDay, formatDayName, zone } from "../../app/format.ts";
import { dayAfter, instantAt } from "../../app/local-time.ts";
import { may } from "../../app/permissions.ts";
import { changed, useResource } from "../../app/resource.ts";
import { call } from "../../app/session.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { failed } from "../../ui/failed.ts";
import { Form, SelectField, Submit, TextField } from "../../ui/form.tsx";
import { Rows } from "../../ui/rows.tsx";
import { Loaded } from "../../ui/section.tsx";
import { toast } from "../../ui/toast.tsx";
import type { Row } from "./rows.ts";
import { planningText } from "./words.ts";

export interface HoursProps {
  rows: readonly Row[];
  onClose: () => void;
}

/** Those of the school have no person. */
const school = "";

export default function Hours({ rows, onClose }: HoursProps) {
  const words = planningText();
  const whose = useSignal(school);
  const query = { limit: 500, ...(whose.value !== school && { person_id: whose.value }) };
  const hours = useResource("GET /orgs/{orgId}/planning/hours", { query });
  const absences = useResource("GET /orgs/{orgId}/planning/absences", { query });
  const isSchool = whose.value === school;
  const isTheirs = ({ person_id }: { person_id: string | null }) => (person_id ?? school) === whose.value;
  const mayChange = may("planning:manage");
  return (
    <Dialog title={words.hours.title} onClose={onClose} wide>
      <SelectField
        name="whose"
        label={words.hours.whose}
        value={whose}
        options={[
          { value: school, label: words.hours.school },
          ...rows.filter(({ type }) => type === "instructor").map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
      <section class="form" aria-label={words.hours.weekly}>
        <h3>{words.hours.weekly}</h3>
        <Loaded resource={hours}>
          {({ data }) => (
            <Rows
              label={words.hours.weekly}
              empty={isSchool ? words.hours.noSchoolHours : words.hours.noHours}
              most={14}
              rows={inWeek(data.filter(isTheirs)).map((one) => ({
                id: one.id,
                title: `${formatDayName(one.weekday)}, ${one.from_time}–${one.to_time}`,
                detail: periodOf(one),
                aside: mayChange && <Remove one={one} name="hours" />,
              }))}
            />
          )}
        </Loaded>
        {mayChange && <AddHours whose={whose} />}
      </section>
      <section class="form" aria-label={isSchool ? words.hours.closures : words.hours.absences}>
        <h3>{isSchool ? words.hours.closures : words.hours.absences}</h3>
        <Loaded resource={absences}>
          {({ data }) => (
            <Rows
              label={words.hours.absences}
              empty={words.hours.noAbsences}
              most={10}
              rows={data
                .filter((one) => isTheirs(one) && one.until_on >= today())
                .map((one) => ({
                  id: one.id,
                  title: [...new Set([formatDay(one.from_on), formatDay(one.until_on)])].join(" – "),
                  detail: one.reason,
                  aside: mayChange && <Remove one={one} name="absences" />,
                }))}
            />
          )}
        </Loaded>
        {mayChange && <AddAbsence whose={whose} />}
      </section>
    </Dialog>
  );
}

const inWeek = (all: readonly PlanningHours[]): PlanningHours[] =>
  all.toSorted((one, other) => one.weekday - other.weekday || one.from_time.localeCompare(other.from_time));

const periodOf = ({ from_on, until_on }: PlanningHours): string | undefined =>
  from_on === null && until_on === null
    ? undefined
    : `${from_on === null ? "" : formatDay(from_on)} – ${until_on === null ? "" : formatDay(until_on)}`.trim();

type RemoveProps = { one: PlanningHours; name: "hours" } | { one: PlanningAbsence; name: "absences" };

function Remove({ one, name }: RemoveProps) {
  const words = planningText();
  const remove = async () => {
    try {
      if (name === "hours")
        await act("DELETE /orgs/{orgId}/planning/hours/{hoursId}", { path: { hoursId: one.id } }, one);
      else await act("DELETE /orgs/{orgId}/planning/absences/{absenceId}", { path: { absenceId: one.id } }, one);
      await changed("/planning");
      toast(words.hours.removed);
    } catch (problem) {
      failed(problem);
    }
  };
  return (
    <Button kind="plain" onClick={remove}>
      {words.hours.remove}
    </Button>
  );
}

const personOf = (whose: Signal<string>) => (whose.value === school ? null : whose.value);

async function saved(said: string): Promise<void> {
  await changed("/planning");
  toast(said);
}

function AddHours({ whose }: { whose: Signal<string> }) {
  const words = planningText();
  const weekday = useSignal("1");
  const from = useSignal("08:00");
  const to = useSignal("18:00");
  const add = async () => {
    const times = { weekday: Number(weekday.value), from_time: from.value, to_time: to.value };
    await call("POST /orgs/{orgId}/planning/hours", { body: { person_id: personOf(whose), ...times } });
    weekday.value = String((times.weekday % 7) + 1);
    await saved(words.hours.saved);
  };
  return (
    <Form onSubmit={add} label={words.hours.addHours}>
      <div class="fields close">
        <SelectField
          name="weekday"
          label={words.hours.weekday}
          value={weekday}
          options={[1, 2, 3, 4, 5, 6, 7].map((day) => ({ value: String(day), label: formatDayName(day) }))}
        />
        <TextField name="from_time" label={words.from} type="time" value={from} required />
        <TextField name="to_time" label={words.to} type="time" value={to} required />
      </div>
      <div class="form-actions">
        <Submit>{words.hours.addHours}</Submit>
      </div>
    </Form>
  );
}

/** How many bookings are in the time, and stay there. It is only said: without it, the absence is no less saved. */
async function bookedIn(personId: string | null, { from_on, until_on }: { from_on: string; until_on: string }) {
  const [from, to] = [from_on, dayAfter(until_on)].map((day) => instantAt(day, "00:00", zone()));
  const query = {
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(personId !== null && { person_id: personId }),
    limit: 500,
  };
  const booked = await call("GET /orgs/{orgId}/planning/sessions", { query }).catch(() => undefined);
  return (booked?.data ?? []).filter(({ status }) => status === "requested" || status === "planned").length;
}

function AddAbsence({ whose }: { whose: Signal<string> }) {
  const words = planningText();
  const from = useSignal(today());
  const until = useSignal(today());
  const reason = useSignal("");
  const add = async () => {
    const days = { from_on: from.value, until_on: until.value, reason: reason.value.trim() || null };
    await call("POST /orgs/{orgId}/planning/absences", { body: { person_id: personOf(whose), ...days } });
    reason.value = "";
    const count = await bookedIn(personOf(whose), days);
    await saved(count === 0 ? words.hours.saved : words.hours.savedWith(count));
  };
  const label = whose.value === school ? words.hours.addClosure : words.hours.addAbsence;
  return (
    <Form onSubmit={add} label={label}>
      <div class="fields close">
        <TextField name="from_on" label={words.from} type="date" value={from} required />
        <TextField name="until_on" label={words.to} type="date" value={until} required />
        <TextField name="reason" label={words.hours.reason} value={reason} maxLength={200} />
      </div>
      <div class="form-actions">
        <Submit>{label}</Submit>
      </div>
    </Form>
  );
}
