/** The master data of an aircraft, changed where they stand. */
import type { Aircraft, AircraftChange } from "../../api/operations.ts";
import type { Save } from "../../app/change.ts";
import { formatMoney } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { organization } from "../../app/session.ts";
import { EditableRecord } from "../../ui/record.tsx";
import { billingBases, classes } from "./classes.ts";

interface DetailsProps {
  aircraft: Aircraft;
  canEdit: boolean;
  save: Save<AircraftChange>;
}

export function Details({ aircraft, canEdit, save }: DetailsProps) {
  const { aircraft: words } = text();
  const { hourly_rate_minor } = aircraft;
  const currency = aircraft.currency ?? organization.value?.currency ?? "EUR";
  return (
    <EditableRecord<AircraftChange>
      title={words.details}
      of={aircraft}
      canEdit={canEdit}
      onSave={save}
      fields={[
        {
          kind: "text",
          name: "registration",
          label: words.registration,
          value: aircraft.registration,
          required: true,
          maxLength: 12,
          shown: null,
        },
        { kind: "text", name: "model", label: words.model, value: aircraft.model, required: true, shown: null },
        {
          kind: "text",
          name: "icao_type",
          label: words.icaoType,
          value: aircraft.icao_type,
          maxLength: 4,
          shown: null,
        },
        {
          kind: "text",
          name: "serial_number",
          label: words.serialNumber,
          value: aircraft.serial_number,
          maxLength: 40,
          shown: null,
        },
        {
          kind: "choice",
          name: "class",
          label: words.class,
          wide: true,
          value: aircraft.class,
          options: classes.map((value) => ({ value, label: words.classes[value] })),
        },
        { kind: "integer", name: "seats", label: words.seats, value: aircraft.seats, min: "1" },
        { kind: "integer", name: "mtom_kg", label: words.mtom, value: aircraft.mtom_kg, min: "1" },
        {
          kind: "yes-or-no",
          name: "multi_pilot",
          label: words.multiPilot,
          value: aircraft.multi_pilot,
          shown: aircraft.multi_pilot ? undefined : null,
        },
        {
          kind: "money",
          name: "hourly_rate_minor",
          label: words.rate,
          wide: true,
          value: hourly_rate_minor,
          currency,
          shown: hourly_rate_minor === null ? null : formatMoney(hourly_rate_minor, currency),
        },
        {
          kind: "choice",
          name: "billing_basis",
          label: words.billingBasis,
          wide: true,
          value: aircraft.billing_basis,
          options: billingBases.map((value) => ({ value, label: words.billingBases[value] })),
        },
      ]}
    />
  );
}
