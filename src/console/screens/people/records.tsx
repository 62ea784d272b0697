/** What is known about a person, each part changed where it stands. */
import { useMemo } from "preact/hooks";
import type { Person, PersonChange } from "../../api/operations.ts";
import type { Save } from "../../app/change.ts";
import { formatDay } from "../../app/format.ts";
import { languageNames, languages, text } from "../../app/language.ts";
import { useResource } from "../../app/resource.ts";
import { EditableRecord } from "../../ui/record.tsx";
import { types } from "./types.ts";

interface PartProps {
  person: Person;
  canEdit: boolean;
  save: Save<PersonChange>;
}

export function Contact({ person, canEdit, save }: PartProps) {
  const { person: words, people } = text();
  const { email, phone, street, postcode, city, country } = person;
  const town = [postcode, city].filter(Boolean).join(" ");
  const address = [street, town, country].filter(Boolean).join("\n");
  return (
    <EditableRecord<PersonChange>
      title={words.contact}
      empty={words.noContact}
      of={person}
      canEdit={canEdit}
      onSave={save}
      fields={[
        {
          kind: "text",
          name: "name",
          label: people.name,
          value: person.name,
          required: true,
          wide: true,
          maxLength: 120,
          shown: null,
        },
        {
          kind: "email",
          name: "email",
          label: people.email,
          wide: true,
          value: email,
          shown: email === null ? null : <a href={`mailto:${email}`}>{email}</a>,
        },
        {
          kind: "tel",
          name: "phone",
          label: people.phone,
          wide: true,
          value: phone,
          maxLength: 40,
          shown: phone === null ? null : <a href={`tel:${phone.replace(/[^\d+]/g, "")}`}>{phone}</a>,
        },
        { kind: "text", name: "street", label: words.street, wide: true, value: street, maxLength: 200, shown: null },
        { kind: "text", name: "postcode", label: words.postcode, value: postcode, maxLength: 20, shown: null },
        { kind: "text", name: "city", label: words.city, value: city, maxLength: 80, shown: null },
        {
          kind: "text",
          name: "country",
          label: words.country,
          value: country,
          maxLength: 2,
          hint: words.countryHint,
          shown: null,
        },
        {
          kind: "choice",
          name: "language",
          label: words.language,
          value: person.language,
          required: false,
          wide: true,
          shown: person.language === null ? null : languageNames[person.language],
          options: [
            { value: "", label: words.languageOfSchool },
            ...languages.map((value) => ({ value, label: languageNames[value] })),
          ],
        },
      ]}
      others={[{ label: words.address, value: address }]}
    />
  );
}

export function Aviation({ person, canEdit, save }: PartProps) {
  const { person: words, people } = text();
  const { restricted_instructor, date_of_birth } = person;
  const asks = person.types.includes("instructor") && (canEdit || person.supervisor_id !== null);
  const instructors = useResource(asks && canEdit ? "GET /orgs/{orgId}/people" : undefined, {
    query: { type: "instructor", limit: 500 },
  });
  const supervisors = useMemo(
    () => [
      { value: "", label: words.noSupervisor },
      ...(instructors.data?.data ?? [])
        .filter(({ id, status }) => id !== person.id && (status === "active" || id === person.supervisor_id))
        .map(({ id, name }) => ({ value: id, label: name })),
    ],
    [instructors.data, person, words],
  );
  return (
    <EditableRecord<PersonChange>
      title={words.aviation}
      empty={words.noAviation}
      of={person}
      canEdit={canEdit}
      onSave={save}
      fields={[
        {
          kind: "choices",
          name: "types",
          label: words.types,
          value: person.types,
          // The page says them below the name.
          shown: null,
          options: types.map((value) => ({ value, label: people.types[value] })),
        },
        {
          kind: "words",
          name: "ratings",
          label: words.ratings,
          wide: true,
          value: person.ratings,
          hint: words.ratingsHint,
        },
        {
          kind: "text",
          name: "licence_number",
          label: words.licenceNumber,
          value: person.licence_number,
          maxLength: 40,
        },
        {
          kind: "text",
          name: "licence_authority",
          label: words.licenceAuthority,
          value: person.licence_authority,
          maxLength: 80,
        },
        {
          kind: "date",
          name: "date_of_birth",
          label: words.dateOfBirth,
          value: date_of_birth,
          shown: date_of_birth === null ? null : formatDay(date_of_birth),
        },
        ...(asks
          ? ([
              {
                kind: "choice",
                name: "supervisor_id",
                label: words.supervisor,
                wide: true,
                value: person.supervisor_id,
                options: supervisors,
                required: false,
                shown: person.supervisor_name,
              },
              {
                kind: "yes-or-no",
                name: "restricted_instructor",
                label: words.restricted,
                value: restricted_instructor,
                shown: restricted_instructor ? undefined : null,
              },
            ] as const)
          : []),
        {
          kind: "yes-or-no",
          name: "receives_mails",
          label: words.receivesMails,
          value: person.receives_mails,
          shown: null,
        },
      ]}
    />
  );
}

export function Emergency({ person, canEdit, save }: PartProps) {
  const { person: words } = text();
  const { emergency_name, emergency_phone, emergency_relation } = person;
  return (
    <EditableRecord<PersonChange>
      title={words.emergency}
      empty={words.noEmergency}
      of={person}
      canEdit={canEdit}
      onSave={save}
      fields={[
        {
          kind: "text",
          name: "emergency_name",
          label: words.emergencyName,
          wide: true,
          value: emergency_name,
          maxLength: 120,
        },
        {
          kind: "tel",
          name: "emergency_phone",
          label: words.emergencyPhone,
          value: emergency_phone,
          maxLength: 40,
          shown:
            emergency_phone === null ? null : (
              <a href={`tel:${emergency_phone.replace(/[^\d+]/g, "")}`}>{emergency_phone}</a>
            ),
        },
        {
          kind: "text",
          name: "emergency_relation",
          label: words.emergencyRelation,
          value: emergency_relation,
          maxLength: 80,
        },
      ]}
    />
  );
}
