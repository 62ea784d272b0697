/** Of a student who is an instructor with restricted privileges: how far they are (FCL.910.FI). */
import { formatDuration } from "../../app/format.ts";
import { useResource } from "../../app/resource.ts";
import { Facts } from "../../ui/facts.tsx";
import { Section } from "../../ui/section.tsx";
import { Metered } from "./meters.tsx";
import { trainingText } from "./words.ts";

export function InstructorRestriction({ personId }: { personId: string }) {
  const words = trainingText();
  const { data } = useResource("GET /orgs/{orgId}/people/{personId}/instructor-restriction", { path: { personId } });
  if (!data?.data.restricted) return null;
  const { instruction_minutes: hours, supervised_solos: solos, supervisor, legal_basis } = data.data;
  return (
    <Section title={words.restriction}>
      <Metered
        label={words.instruction}
        value={hours.done}
        max={hours.required}
        said={`${formatDuration(hours.done)} / ${formatDuration(hours.required)}`}
      />
      <Metered
        label={words.supervisedSolos}
        value={solos.done}
        max={solos.required}
        said={`${solos.done} / ${solos.required}`}
      />
      <Facts facts={[{ label: words.supervisor, value: supervisor?.name }]} />
      <p class="quiet small">{legal_basis}</p>
    </Section>
  );
}
