import { medical, type Pilot, ppl } from "./person.ts";

/** Who hires an aircraft. Łukasz Wiśniewski's class rating has expired. */
export const pilots: readonly Pilot[] = [
  {
    ...pilot("Łukasz Wiśniewski", "lukasz", "Parkstraße 12, 63067 Offenbach", {
      born: "1979-02-28",
      licence: "PL.FCL.4711",
      flies: ["D-EABC", "D-EFGH"],
      ratings: [["sep", -12]],
    }),
    until: -13,
  },
  {
    ...pilot("Clara Vogt", "clara", "Seeblick 4, 63150 Heusenstamm", {
      born: "1991-07-07",
      licence: "DE.FCL.2290",
      flies: ["D-EIJK", "D-EABC"],
      ratings: [["sep", 190]],
    }),
    role: "student",
  },
  pilot("Thomas Müller", "thomas", "Hauptstraße 88, 64569 Nauheim", {
    born: "1964-12-13",
    licence: "DE.FCL.0871",
    flies: ["D-KIWI"],
    ratings: [["tmg", 75]],
  }),
  pilot("Agnieszka Kowalczyk", "agnieszka", "Taunusblick 19, 65795 Hattersheim", {
    born: "1985-03-22",
    licence: "PL.FCL.3307",
    flies: ["D-EIJK", "D-EFGH"],
    ratings: [["sep", 320]],
  }),
  pilot("Henrik Jansen", "henrik", "Dornbusch 7, 60320 Frankfurt am Main", {
    born: "1972-10-10",
    licence: "DE.FCL.1544",
    flies: ["D-EFGH", "D-EIJK", "D-EABC"],
    ratings: [["sep", 52]],
  }),
  pilot("Ulrike Weiß", "ulrike", "Bergstraße 51, 64625 Bensheim", {
    born: "1987-01-31",
    licence: "DE.FCL.2716",
    flies: ["D-KIWI", "D-EIJK"],
    ratings: [
      ["sep", 260],
      ["tmg", 260],
    ],
  }),
];

interface AboutPilot extends Pick<Pilot, "born" | "flies"> {
  licence: string;
  ratings: readonly (readonly [type: string, lastDay: number])[];
}

function pilot(name: string, key: string, address: string, { ratings, ...about }: AboutPilot): Pilot {
  const rated = ratings.map(([type, lastDay]) => [type, null, lastDay] as const);
  const records = [medical(200 + key.length * 30), ...ppl, ...rated];
  return { name, key, types: ["pilot"], address, ...about, records };
}
