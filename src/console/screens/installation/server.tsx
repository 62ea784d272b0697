/** What the server is, what it has room for, and the mails that it has sent. */
import type { Installation } from "../../api/operations.ts";
import { formatBytes, formatCount } from "../../app/format.ts";
import { useResource } from "../../app/resource.ts";
import { Bar } from "../../ui/bar.tsx";
import { Facts } from "../../ui/facts.tsx";
import { Loaded, Section } from "../../ui/section.tsx";
import { When } from "../../ui/when.tsx";
import { Figures } from "./figures.tsx";
import { installationText } from "./words.ts";

export function Server() {
  const words = installationText();
  const installation = useResource("GET /installation");
  return (
    <Section title={words.server}>
      <Loaded resource={installation} lines={6}>
        {({ data }) => (
          <Facts
            facts={[
              { label: words.version, value: data.version },
              { label: words.runtime, value: `${data.runtime}, ${data.platform}` },
              { label: words.started, value: <When at={data.started_at} /> },
              { label: words.address, value: data.public_url },
              { label: words.disk, value: data.disk && <Disk disk={data.disk} /> },
              { label: words.databases, value: databasesOf(data) },
              { label: words.openFiles, value: openFilesOf(data) },
              {
                label: words.openSchools,
                value: words.of(formatCount(data.limits.open_schools), formatCount(data.limits.most_open_schools)),
              },
              { label: words.standby, value: standbyOf(data) },
            ]}
          />
        )}
      </Loaded>
    </Section>
  );
}

function standbyOf({ has_standby, waits_for_lock }: Installation): string {
  const words = installationText();
  if (has_standby === true) return words.standbyWaits;
  return waits_for_lock ? words.standbyOn : words.standbyOff;
}

const tones = { enough: "neutral", low: "warn", full: "bad" } as const;

function Disk({ disk: { free_bytes, size_bytes, state } }: { disk: NonNullable<Installation["disk"]> }) {
  const words = installationText();
  const said = words.diskSaid(formatBytes(free_bytes), formatBytes(size_bytes));
  return (
    <>
      {said}
      <Bar label={words.disk} value={size_bytes - free_bytes} max={size_bytes} said={said} tone={tones[state]} />
    </>
  );
}

function databasesOf({ databases }: Installation): string | null {
  const words = installationText();
  return databases && words.databasesSaid(formatBytes(databases.bytes), formatBytes(databases.largest_bytes));
}

function openFilesOf({ limits: { open_files, most_open_files } }: Installation): string | null {
  const words = installationText();
  if (open_files === null) return null;
  const some = formatCount(open_files);
  return most_open_files === null ? some : words.of(some, formatCount(most_open_files));
}

export function Mails() {
  const words = installationText();
  const installation = useResource("GET /installation");
  return (
    <Section title={words.mails}>
      <Loaded resource={installation}>
        {({ data: { mails } }) =>
          mails === null ? (
            <p class="quiet">{words.noMails}</p>
          ) : (
            <>
              <Figures
                figures={[
                  { label: words.waiting, count: mails.waiting_count },
                  { label: words.sent, count: mails.sent_count },
                  { label: words.outcomes.failed, count: mails.failed_count },
                  { label: words.dropped, count: mails.dropped_count },
                ]}
              />
              <Facts facts={[{ label: words.sender, value: mails.from }]} />
            </>
          )
        }
      </Loaded>
    </Section>
  );
}
