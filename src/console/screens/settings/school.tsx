/** What the school is called, what it is approved for, and how it counts time and money. */
import { useSignal } from "@preact/signals";
import { currencyCodes } from "../../../core/currency-codes.ts";
import type { Organization } from "../../api/operations.ts";
import { change } from "../../app/change.ts";
import { text } from "../../app/language.ts";
import { changesIn } from "../../app/merge.ts";
import { may } from "../../app/permissions.ts";
import { changed, useResource } from "../../app/resource.ts";
import { reloadMe } from "../../app/session.ts";
import { timeZones } from "../../app/time-zones.ts";
import { Facts } from "../../ui/facts.tsx";
import { Form, SelectField, Submit, TextField } from "../../ui/form.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Loaded } from "../../ui/section.tsx";
import { toast } from "../../ui/toast.tsx";
import { Seller } from "../finance/seller.tsx";
import { ExportSchool } from "./export-school.tsx";
import { Tabs } from "./tabs.tsx";

const kinds = ["ato", "dto", "club"] as const;
const currencies = currencyCodes.map((value) => ({ value, label: value }));

export default function School() {
  const { settings: words } = text();
  const school = useResource("GET /orgs/{orgId}");
  const saves = useSignal(0);
  return (
    <>
      <div class="page-head">
        <h1>{words.title}</h1>
      </div>
      <Tabs />
      <div class="panels">
        <Loaded resource={school} lines={8}>
          {({ data }) =>
            may("organization:manage") ? (
              <SchoolForm
                key={saves.value}
                school={data}
                onSaved={() => {
                  saves.value += 1;
                }}
              />
            ) : (
              <SchoolFacts school={data} />
            )
          }
        </Loaded>
        {may("organization:export") && <ExportSchool />}
      </div>
      {may("finance:read") && <Seller />}
    </>
  );
}

function SchoolFacts({ school }: { school: Organization }) {
  const { settings: words, signUp } = text();
  return (
    <Panel title={words.school} hint={words.readOnly}>
      <Facts
        facts={[
          { label: signUp.schoolName, value: school.name },
          { label: signUp.kind, value: signUp.kinds[school.kind] },
          { label: words.approvalNumber, value: school.approval_number },
          { label: words.authority, value: school.authority },
          { label: words.home, value: school.home_icao },
          { label: signUp.timezone, value: school.time_zone },
          { label: words.currency, value: school.currency },
        ]}
      />
    </Panel>
  );
}

function SchoolForm({ school, onSaved }: { school: Organization; onSaved: () => void }) {
  const { settings: words, signUp, actions } = text();
  // What was typed stays if the school is loaded anew.
  const before = useSignal(school);
  const name = useSignal(school.name);
  const kind = useSignal<string>(school.kind);
  const approval = useSignal(school.approval_number ?? "");
  const authority = useSignal(school.authority ?? "");
  const home = useSignal(school.home_icao ?? "");
  const zone = useSignal(school.time_zone);
  const currency = useSignal(school.currency);
  const orNull = (value: string) => value.trim() || null;

  const save = async () => {
    const typed = {
      name: name.value.trim(),
      kind: kinds.find((one) => one === kind.value) ?? before.value.kind,
      approval_number: orNull(approval.value),
      authority: orNull(authority.value),
      home_icao: orNull(home.value.toUpperCase()),
      time_zone: zone.value,
      currency: currency.value,
    };
    await change("/orgs/{orgId}", undefined, changesIn(before.value, typed), {
      before: before.value,
      fields: {
        name: { label: signUp.schoolName },
        kind: { label: signUp.kind, shown: (value) => signUp.kinds[value as Organization["kind"]] },
        approval_number: { label: words.approvalNumber },
        authority: { label: words.authority },
        home_icao: { label: words.home },
        time_zone: { label: signUp.timezone },
        currency: { label: words.currency },
      },
    });
    toast(actions.saved);
    // The menu names the school, and times are in its zone.
    await Promise.all([reloadMe(), changed("")]);
    onSaved();
  };

  return (
    <Form onSubmit={save} label={words.school}>
      <Panel title={words.school} hint={words.schoolHint}>
        <div class="fields">
          <TextField name="name" label={signUp.schoolName} value={name} maxLength={120} required wide />
          <SelectField
            name="kind"
            label={signUp.kind}
            value={kind}
            options={kinds.map((value) => ({ value, label: signUp.kinds[value] }))}
            wide
          />
          <TextField name="approval_number" label={words.approvalNumber} value={approval} placeholder="DE.ATO.123" />
          <TextField name="authority" label={words.authority} value={authority} placeholder="LBA" />
          <TextField
            name="home_icao"
            label={words.home}
            hint={words.homeHint}
            value={home}
            placeholder="EDFE"
            minLength={4}
            maxLength={4}
            spellcheck={false}
          />
        </div>
      </Panel>
      <Panel title={words.regional} hint={words.regionalHint}>
        <div class="fields">
          <SelectField name="time_zone" label={signUp.timezone} value={zone} options={timeZones(school.time_zone)} />
          <SelectField name="currency" label={words.currency} value={currency} options={currencies} />
        </div>
        <div class="form-actions">
          <Submit>{actions.save}</Submit>
        </div>
      </Panel>
    </Form>
  );
}
