/** Who worked on it, on which day, and how long: one's own time is added by a tap, and anybody's is typed. */
import { today } from "../../app/days.ts";
import { formatDay, formatDuration } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import type { Values } from "../../app/merge.ts";
import { me } from "../../app/session.ts";
import { Button } from "../../ui/button.tsx";
import { failed } from "../../ui/failed.ts";
import { InPlace } from "../../ui/in-place.tsx";
import { Rows } from "../../ui/rows.tsx";
import { toast } from "../../ui/toast.tsx";
import { added, type Hours, hoursOf, withoutNames } from "./hours.ts";
import type { PartProps } from "./order-part.ts";
import { useMechanics } from "./use-mechanics.ts";
import { maintenanceText } from "./words.ts";
import { WorkedForm } from "./worked-form.tsx";

const steps = [15, 60];

export function Worked({ order, canEdit, save }: PartProps) {
  const words = maintenanceText();
  const { actions } = text();
  const { own, people } = useMechanics();
  const { hours } = order;
  const set = async (next: readonly Hours[]) => {
    const seen = {
      fields: { hours: { label: words.worked, isList: true } },
      bodyOf: (merged: Values) => ({ ...merged, hours: withoutNames(merged.hours) }),
    };
    await save({ hours: next }, { before: order, ...seen });
    toast(actions.saved, {
      label: actions.undo,
      run: () => save({ hours }, { before: { ...order, hours: next }, ...seen }),
    });
  };
  const add = (entry: Hours) => set(added(hours, entry));
  const addOwn = (minutes: number) => {
    const name = people.find(({ id }) => id === own)?.name ?? me.value?.user.name ?? "";
    add(hoursOf({ id: own, name }, { worked_on: today(), minutes })).catch(failed);
  };
  return (
    <InPlace
      title={words.worked}
      action={words.addWorked}
      canEdit={canEdit}
      form={(onEnd) => <WorkedForm {...{ own, people, onEnd }} onAdd={add} />}
    >
      <div class="spread">
        <strong class="large">{words.hoursLong(formatDuration(order.worked_minutes))}</strong>
        {canEdit && (
          <div class="row-actions">
            {steps.map((minutes) => (
              <Button key={minutes} onClick={() => addOwn(minutes)}>
                {words.addWork(formatDuration(minutes))}
              </Button>
            ))}
          </div>
        )}
      </div>
      {hours.length > 0 && (
        <Rows
          label={words.worked}
          empty=""
          rows={hours.map((one, index) => ({
            id: String(index),
            title: nameOf(one),
            detail: formatDay(one.worked_on),
            aside: (
              <>
                <span>{words.hoursLong(formatDuration(one.minutes))}</span>
                {canEdit && (
                  <Button kind="plain" icon="close" iconOnly onClick={() => set(hours.filter((_, at) => at !== index))}>
                    {words.removeWorked(nameOf(one), formatDay(one.worked_on))}
                  </Button>
                )}
              </>
            ),
          }))}
        />
      )}
    </InPlace>
  );
}

const nameOf = ({ person_name, worked_by }: Hours): string => person_name ?? worked_by ?? "";
