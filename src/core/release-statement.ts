import type { Language } from "./languages.ts";

/** What a certificate of release to service certifies (AMC1 ML.A.801), for the console and for the file of the work order. */
export const releaseStatements: Readonly<Record<Language, (by: string) => string>> = {
  en: (by) =>
    `Certifies that the ${by === "pilot_owner" ? "limited pilot-owner maintenance" : "work"} specified, except as otherwise specified, was carried out in accordance with Part-ML, and in respect to that work the aircraft is considered ready for release to service.`,
  de: (by) =>
    by === "pilot_owner"
      ? `Hiermit wird bescheinigt, dass die aufgeführte beschränkte Instandhaltung durch den Piloten/Eigentümer, sofern nicht anders angegeben, ${rest("ist")}`
      : `Hiermit wird bescheinigt, dass die aufgeführten Arbeiten, sofern nicht anders angegeben, ${rest("sind")}`,
};

const rest = (verb: "ist" | "sind") =>
  `in Übereinstimmung mit Teil-ML durchgeführt worden ${verb} und dass das Luftfahrzeug hinsichtlich dieser Arbeiten als für die Freigabe zum Betrieb bereit angesehen wird.`;
