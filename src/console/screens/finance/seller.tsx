/** Who sends the school's invoices, and their usual terms: without an address and a tax number none can be sent. */
import type { FinanceSettingsChange } from "../../api/operations.ts";
import { change, type Save } from "../../app/change.ts";
import { text } from "../../app/language.ts";
import { may } from "../../app/permissions.ts";
import { changed, useResource } from "../../app/resource.ts";
import { Grouped } from "../../ui/grouped.tsx";
import { EditableRecord } from "../../ui/record.tsx";
import { Loaded } from "../../ui/section.tsx";
import { financeText } from "./words.ts";

export function Seller() {
  const { person, people } = text();
  const { seller: words } = financeText();
  const settings = useResource("GET /orgs/{orgId}/finance/settings");
  const save: Save<FinanceSettingsChange> = async (body, seen) => {
    await change("/orgs/{orgId}/finance/settings", undefined, body, seen);
    await changed("/finance");
  };
  return (
    <Loaded resource={settings} lines={4}>
      {({ data: of }) => (
        <>
          {(of.street === null || (of.vat_id ?? of.tax_number) === null) && may("finance:manage") && (
            <div class="notice warn">{words.incomplete}</div>
          )}
          <EditableRecord<FinanceSettingsChange>
            title={words.title}
            of={of}
            canEdit={may("finance:manage")}
            onSave={save}
            fields={[
              {
                kind: "text",
                name: "legal_name",
                label: words.name,
                hint: words.nameHint,
                value: of.legal_name,
                wide: true,
              },
              { kind: "text", name: "street", label: person.street, value: of.street, wide: true },
              { kind: "text", name: "postcode", label: person.postcode, value: of.postcode },
              { kind: "text", name: "city", label: person.city, value: of.city },
              {
                kind: "text",
                name: "country",
                label: person.country,
                hint: person.countryHint,
                value: of.country,
                maxLength: 2,
                pattern: "[A-Z]{2}",
              },
              { kind: "email", name: "email", label: people.email, value: of.email },
              { kind: "tel", name: "phone", label: people.phone, value: of.phone },
              { kind: "text", name: "tax_number", label: words.taxNumber, hint: words.taxHint, value: of.tax_number },
              { kind: "text", name: "vat_id", label: words.vatId, value: of.vat_id },
              { kind: "text", name: "register_number", label: words.register, value: of.register_number },
              {
                kind: "text",
                name: "iban",
                label: "IBAN",
                hint: words.ibanHint,
                value: of.iban,
                ...(of.iban && { shown: <Grouped>{of.iban}</Grouped> }),
              },
              { kind: "text", name: "bic", label: "BIC", value: of.bic },
              {
                kind: "integer",
                name: "payment_days",
                label: words.days,
                value: of.payment_days,
                min: "0",
                max: "365",
                required: true,
              },
            ]}
          />
        </>
      )}
    </Loaded>
  );
}
