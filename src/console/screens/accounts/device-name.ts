/** What a `User-Agent` says, in two words: Firefox · Linux. Later entries name themselves like earlier ones, so the order matters. */
const browsers: readonly [RegExp, string][] = [
  [/Edg(e|A|iOS)?\//, "Edge"],
  [/OPR\//, "Opera"],
  [/SamsungBrowser\//, "Samsung Internet"],
  [/(Firefox|FxiOS)\//, "Firefox"],
  [/(Chrome|CriOS)\//, "Chrome"],
  [/Safari\//, "Safari"],
];

const systems: readonly [RegExp, string][] = [
  [/iPhone/, "iPhone"],
  [/iPad/, "iPad"],
  [/Android/, "Android"],
  [/Windows/, "Windows"],
  [/Mac OS X|Macintosh/, "macOS"],
  [/CrOS/, "ChromeOS"],
  [/Linux|X11/, "Linux"],
];

const first = (names: readonly [RegExp, string][], text: string): string | undefined =>
  names.find(([pattern]) => pattern.test(text))?.[1];

/** @returns the name, or the beginning of the text of a program that is no browser; `undefined` if it says nothing */
export function deviceName(userAgent: string): string | undefined {
  const known = [first(browsers, userAgent), first(systems, userAgent)].filter(Boolean).join(" · ");
  return known || userAgent.slice(0, 60) || undefined;
}
