/** What `windsock doctor` says, in the reader's language: what is wrong, what it means, and what to do. */
import type { FindingCode } from "../../../core/finding.ts";
import type { Finding } from "../../api/operations.ts";
import { formatDateTime } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { useResource } from "../../app/resource.ts";
import type { FindingTexts } from "../../text/findings.ts";
import { Badge } from "../../ui/badge.tsx";
import { Command } from "../../ui/command.tsx";
import { Rows } from "../../ui/rows.tsx";
import { Loaded, Section } from "../../ui/section.tsx";
import { When } from "../../ui/when.tsx";

export function Findings() {
  const { installation: words } = text();
  const examined = useResource("GET /installation/findings");
  const found = examined.data?.data.findings.filter(({ level }) => level !== "fine") ?? [];
  if (examined.data && found.length === 0 && examined.problem === undefined)
    return (
      <p class="quiet">
        {words.nothing} <When at={examined.data.data.examined_at} />.
      </p>
    );
  return (
    <Section title={words.needsYou} {...(found.some(({ level }) => level === "error") && { tone: "bad" })}>
      <Loaded resource={examined}>
        {() => (
          <Rows
            label={words.needsYou}
            empty=""
            most={20}
            rows={found.map((finding) => {
              const { title, remedy, command } = sentenceOf(finding);
              const isError = finding.level === "error";
              return {
                id: finding.message,
                title,
                detail: (
                  <>
                    {remedy}
                    {command !== undefined && <Command>{command}</Command>}
                  </>
                ),
                aside: (
                  <Badge tone={isError ? "bad" : "warn"}>{isError ? words.levels.error : words.levels.warning}</Badge>
                ),
              };
            })}
          />
        )}
      </Loaded>
    </Section>
  );
}

/** A case that this console does not know, of a newer server, is said as the server says it. */
function sentenceOf({ code, params, message, remedy = "" }: Finding): ReturnType<FindingTexts[FindingCode]> {
  const { findings } = text().installation;
  const sentence: ((params: never, format: Format) => ReturnType<FindingTexts[FindingCode]>) | undefined =
    code && findings[code];
  return sentence?.(params as never, { when: formatDateTime }) ?? { title: message, remedy };
}

type Format = Parameters<FindingTexts[FindingCode]>[1];
