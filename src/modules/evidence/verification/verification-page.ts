/** The page that a link to a pack opens: HTML without script, made on the server. */
import { createHash } from "node:crypto";
import { dateIn, minuteIn } from "../../../core/forms.ts";
import type { Language } from "../../../core/languages.ts";
import shared from "../../accounts/link-page/link-style.css" with { type: "text" };
import type { Verification } from "./verification.schemas.ts";
import own from "./verification-style.css" with { type: "text" };
import { verificationTexts } from "./verification-texts.ts";

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

interface Page {
  language: Language;
  title: string;
  body: string;
}

const pageOf = ({ language, title, body }: Page) => `<!doctype html>
<html lang="${language}">
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

const code = (text: string) => `<code>${escaped(text)}</code>`;

/** Says first whether the pack can be relied on. */
function judgementOf({
  signature_valid,
  superseded,
}: Verification): ["bad" | "note" | "good", "invalid" | "superseded" | "valid"] {
  if (!signature_valid) return ["bad", "invalid"];
  return superseded ? ["note", "superseded"] : ["good", "valid"];
}

function daysOf({ from, to }: Verification["period"], language: Language): string {
  const texts = verificationTexts(language);
  if (from === null || to === null) return texts.noRecords;
  return from === to ? dateIn(language, from) : texts.between(dateIn(language, from), dateIn(language, to));
}

export function verificationPage(about: Verification, language: Language): string {
  const texts = verificationTexts(language);
  const [kind, name] = judgementOf(about);
  const { title, text } = texts[name];
  const { retired_at } = about.key;
  const retired = retired_at === null ? "" : `, ${texts.replaced(minuteIn(language, retired_at))}`;
  const facts: readonly (readonly [string, string])[] = [
    [texts.issuedBy, escaped(about.issuer.name)],
    [texts.subject, escaped(about.subject.name)],
    [texts.content, texts.kinds[about.type]],
    [texts.period, daysOf(about.period, language)],
    [texts.issued, minuteIn(language, about.issued_at)],
    [texts.manifest, code(about.manifest_sha256)],
    [texts.file, code(about.sha256)],
    [`${texts.key}${retired}`, code(about.key.thumbprint)],
  ];
  const list = facts.map(([name, value]) => `<dt>${escaped(name)}</dt><dd>${value}</dd>`);
  const hint = texts.hint(code("windsock verify FILE --key KEY"), code("unzip -p FILE manifest.json | sha256sum"));
  return pageOf({
    language,
    title: texts.pack(title),
    body: `<h1>${escaped(texts.pack(title))}</h1>
<p class="judgement ${kind}">${escaped(text)}</p>
<dl>
${list.join("\n")}
</dl>
<p class="hint">${hint}</p>`,
  });
}

export function notFoundPage(language: Language): string {
  const { title, text } = verificationTexts(language).none;
  return pageOf({ language, title, body: `<h1>${escaped(title)}</h1>\n<p>${escaped(text)}</p>` });
}
