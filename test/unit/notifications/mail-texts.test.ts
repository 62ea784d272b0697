/** Mails about records and revalidations name the person to those who manage them, and speak to the person. */
import { expect, test } from "bun:test";
import { languages } from "../../../src/core/languages.ts";
import type { MailText } from "../../../src/modules/notifications/mails/texts/en.ts";
import { textsOf } from "../../../src/modules/notifications/mails/texts/texts.ts";
import { revalidationKinds } from "../../../src/modules/revalidation/assess.ts";

const name = "Zoe Quux";
const your = /^(Your?|Ihre?|Sie) /;
const record = { what: "Record", date: "1 May", daysLeft: 3 };
const missing = { date: "1 May", article: "FCL.1", lines: "- 1 h", some: 1 };

type Case = [about: string, language: string, mail: (owner: string | undefined) => MailText];
const cases = languages.flatMap((language): Case[] => {
  const { expiry, revalidation } = textsOf(language);
  return [
    ["a record", language, (owner) => expiry({ ...record, owner })],
    ...revalidationKinds.map((kind): Case => [kind, language, (owner) => revalidation[kind]({ ...missing, owner })]),
  ];
});

test.each(cases)("the mail about %s in %s names the person only to others", (_about, _language, mail) => {
  for (const text of Object.values(mail(name))) {
    expect(text.split(name)).toHaveLength(2);
    expect(text).not.toMatch(your);
  }
  for (const text of Object.values(mail(undefined))) {
    expect(text).toMatch(your);
    expect(text).not.toContain("undefined");
  }
});
