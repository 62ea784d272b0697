/** Who certifies a release: a person of the school, or somebody else by name; and their licence. */
import { type Signal, useSignal } from "@preact/signals";
import { me } from "../../app/session.ts";
import { SelectField, TextField } from "../../ui/form.tsx";
import { useProposal } from "../../ui/use-proposal.ts";
import type { Release } from "./release.tsx";
import { useMechanics } from "./use-mechanics.ts";
import { maintenanceText } from "./words.ts";

interface Certifier {
  /** Of the person; empty for somebody else. */
  person: Signal<string>;
  name: Signal<string>;
  licence: Signal<string>;
  people: readonly { id: string; name: string }[];
}

interface Chosen extends Certifier {
  signed(): { licence_number: string } & ({ person_id: string } | { by: string });
}

/** @param releases earlier ones, the newest first: a mechanic's licence is that of the last */
export function useCertifier(releases: readonly Release[]): Chosen {
  const { own, people } = useMechanics();
  const person = useSignal(own ?? "");
  const name = useSignal(own === null ? (me.value?.user.name ?? "") : "");
  const licence = useSignal("");
  const chosen = people.find(({ id }) => id === person.value)?.name ?? name.peek().trim();
  // Somebody may have signed before they were a person of the school.
  const isTheirs = (release: Release) =>
    release.person_id === null ? release.by === chosen : release.person_id === person.value;
  const known = releases.find(isTheirs)?.licence_number ?? people.find(({ id }) => id === person.value)?.licence_number;
  useProposal(licence, known ?? "", person.value);
  return {
    ...{ person, name, licence },
    people,
    signed: () => ({
      ...(person.value === "" ? { by: name.value } : { person_id: person.value }),
      licence_number: licence.value,
    }),
  };
}

export function CertifierField({ person, name, licence, people }: Certifier) {
  const words = maintenanceText();
  return (
    <>
      {people.length > 0 && (
        <SelectField
          name="person_id"
          label={words.releasedBy}
          value={person}
          options={[
            ...people.map(({ id, name: label }) => ({ value: id, label })),
            { value: "", label: words.somebodyElse },
          ]}
        />
      )}
      {person.value === "" && (
        <TextField
          name="by"
          label={people.length > 0 ? words.certifierName : words.releasedBy}
          value={name}
          maxLength={120}
          required
        />
      )}
      <TextField
        name="licence_number"
        label={words.licence}
        placeholder="DE.66.4711"
        value={licence}
        maxLength={40}
        required
      />
    </>
  );
}
