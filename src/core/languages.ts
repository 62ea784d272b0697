/** Languages in which documents and mails are written to people. */
export const languages = ["en", "de"] as const;
export type Language = (typeof languages)[number];

/** A text in each of them. */
export type Translated = Readonly<Record<Language, string>>;

/** Returns the language that an `Accept-Language` prefers (RFC 9110, 12.5.4), `de-AT` as `de`; the other one if it names none of ours. */
export function preferredLanguage(acceptLanguage: string | null, otherwise: Language = "en"): Language {
  const ranges = (acceptLanguage ?? "")
    .slice(0, 1000)
    .split(",")
    .map((range) => {
      const [tag = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
      const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
      return { name: tag.split("-")[0], weight: weight === undefined ? 1 : Number(weight) };
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight);
  for (const { name } of ranges) {
    const found = languages.find((language) => language === name);
    if (found) return found;
  }
  return otherwise;
}
