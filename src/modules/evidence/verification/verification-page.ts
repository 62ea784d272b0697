/** The page that a link to a pack opens: HTML without script, made on the server. */
import { createHash } from "node:crypto";
import shared from "../../accounts/link-page/link-style.css" with { type: "text" };
import type { Verification } from "./verification.schemas.ts";
import own from "./verification-style.css" with { type: "text" };

const style = shared + own;

/** Allows the page's own style and nothing else. */
export const pagePolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const escaped = (text: string) => text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);

const page = (title: string, body: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escaped(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
<p class="product">Windsock</p>
${body}
</main>
</body>
</html>
`;

const kinds = {
  pilot_portable: "Flights, records and training of a pilot",
  compliance_pack: "State of the organization",
} as const;

/** Says first whether the pack can be relied on. */
function judgement({
  signature_valid,
  superseded,
}: Verification): readonly [kind: string, title: string, text: string] {
  if (!signature_valid)
    return ["bad", "Not valid", "The signature does not match what is stored. Do not rely on this evidence pack."];
  if (superseded)
    return [
      "note",
      "Valid, but superseded",
      "The signature is valid. A newer evidence pack of the issuer replaces this one.",
    ];
  return ["good", "Valid", "The signature is valid, and no newer evidence pack replaces this one."];
}

const days = ({ from, to }: Verification["period"]): string => {
  if (from === null || to === null) return "No flights";
  return from === to ? from : `${from} to ${to}`;
};

const minute = (instant: string) => `${instant.slice(0, 10)} ${instant.slice(11, 16)} UTC`;

export function verificationPage(about: Verification): string {
  const [kind, title, text] = judgement(about);
  const retired = about.key.retired_at === null ? "" : `, replaced ${minute(about.key.retired_at)}`;
  const facts: readonly (readonly [string, string, boolean?])[] = [
    ["Issued by", about.issuer.name],
    ["For", about.subject.name],
    ["Content", kinds[about.type]],
    ["Period", days(about.period)],
    ["Issued", minute(about.issued_at)],
    ["SHA-256 of its manifest, which is signed", about.manifest_sha256, true],
    ["SHA-256 of the file, as stored here", about.sha256, true],
    [`Key of the issuer${retired}`, about.key.thumbprint, true],
  ];
  const list = facts.map(
    ([name, value, isCode]) =>
      `<dt>${escaped(name)}</dt><dd>${isCode ? `<code>${escaped(value)}</code>` : escaped(value)}</dd>`,
  );
  return page(
    `Evidence pack: ${title}`,
    `<h1>Evidence pack: ${escaped(title.toLowerCase())}</h1>
<p class="judgement ${kind}">${escaped(text)}</p>
<dl>
${list.join("\n")}
</dl>
<p class="hint">This says nothing yet about your file. <code>windsock verify FILE --key KEY</code>, with the key above, checks
all of it. Or compare the first digest: <code>unzip -p FILE manifest.json | sha256sum</code>. The manifest has the digests of
the other parts.</p>`,
  );
}

export const notFoundPage = page(
  "Evidence pack: no such link",
  `<h1>This link is not valid</h1>
<p>It may be mistyped, have expired or been revoked. Ask the person who gave it to you for another.</p>`,
);
