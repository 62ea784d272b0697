/** Time zones to choose from. */

/** That of the browser, as a first guess. */
export const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** @param held is among them, even if the browser does not list it: UTC, or a name that has been replaced */
export const timeZones = (held: string): { value: string; label: string }[] =>
  [...new Set([...Intl.supportedValuesOf("timeZone"), "UTC", held])]
    .sort()
    .map((value) => ({ value, label: value.replaceAll("_", " ") }));
