/** A defect as it is reported: what is wrong, photos, and whether the aircraft must not fly. */
import { type Signal, useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { Defect } from "../../api/operations.ts";
import { text } from "../../app/language.ts";
import { changed } from "../../app/resource.ts";
import { call } from "../../app/session.ts";
import { CheckField, TextField } from "../../ui/form.tsx";
import { toast } from "../../ui/toast.tsx";
import { attachToDefect } from "./files.tsx";
import { PhotosField } from "./photos-field.tsx";

interface Report {
  description: Signal<string>;
  grounding: Signal<boolean>;
  photos: Signal<readonly File[]>;
}

interface Reporting extends Report {
  /** @throws Problem, Unreachable */
  send(aircraftId: string): Promise<void>;
}

export function useReport(): Reporting {
  const description = useSignal("");
  const grounding = useSignal(false);
  const photos = useSignal<readonly File[]>([]);
  // A report whose photo failed is not sent again, and neither are the photos that arrived.
  const reported = useRef<Defect>(undefined);
  const send = async (aircraftId: string) => {
    const body = { description: description.value, grounding: grounding.value };
    const path = { aircraftId };
    reported.current ??= (await call("POST /orgs/{orgId}/aircraft/{aircraftId}/defects", { path, body })).data;
    const { id: defectId, aircraft_id } = reported.current;
    await changed("/aircraft", "/maintenance");
    for (const photo of photos.value) {
      await attachToDefect({ aircraftId: aircraft_id, defectId }, photo);
      photos.value = photos.peek().filter((one) => one !== photo);
    }
    toast(text().aircraft.reported);
  };
  return { description, grounding, photos, send };
}

export function ReportFields({ report, autoFocus = false }: { report: Report; autoFocus?: boolean }) {
  const { aircraft: words } = text();
  return (
    <>
      <TextField
        name="description"
        label={words.description}
        value={report.description}
        maxLength={2000}
        required
        multiline
        autoFocus={autoFocus}
      />
      <PhotosField value={report.photos} />
      <div>
        <CheckField name="grounding" label={words.mustNotFly} value={report.grounding} />
        <p class="quiet small">{words.mustNotFlyHint}</p>
      </div>
    </>
  );
}
