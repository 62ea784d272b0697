/** A defect from the apron, on a phone: the aircraft by one tap, a few words, a photo. */
import { useSignal } from "@preact/signals";
import { text } from "../../app/language.ts";
import { useResource } from "../../app/resource.ts";
import { go, place } from "../../app/router.ts";
import { EitherField } from "../../ui/either-field.tsx";
import { Form, Submit } from "../../ui/form.tsx";
import { Loaded } from "../../ui/section.tsx";
import { ReportFields, useReport } from "./report-fields.tsx";
import { maintenanceText } from "./words.ts";

export default function ReportDefect() {
  const words = maintenanceText();
  const { aircraft } = text();
  const chosen = useSignal(place.peek().query.get("aircraft") ?? "");
  const report = useReport();
  const fleet = useResource("GET /orgs/{orgId}/aircraft", { query: { limit: 500 } });
  const send = async () => {
    await report.send(chosen.value);
    go(`/app/aircraft/${chosen.value}`);
  };
  return (
    <>
      <div class="page-head">
        <h1>{aircraft.reportTitle}</h1>
      </div>
      <Loaded resource={fleet}>
        {({ data }) => (
          <div class="narrow">
            <Form onSubmit={send} label={aircraft.reportTitle}>
              <div class="by-tap">
                <EitherField
                  name="aircraft_id"
                  label={words.aircraft}
                  value={chosen}
                  options={data
                    .filter(({ status }) => status !== "archived")
                    .map(({ id, registration, model }) => ({ value: id, label: model, detail: registration }))}
                />
              </div>
              <ReportFields report={report} />
              <div class="form-actions">
                <Submit>{aircraft.reportSubmit}</Submit>
              </div>
            </Form>
          </div>
        )}
      </Loaded>
    </>
  );
}
