import { medical, type Person, ppl } from "./person.ts";

export const staff: readonly Person[] = [
  {
    name: "Olga Lindner",
    key: "olga",
    types: ["staff"],
    born: "1975-05-19",
    address: "Am Flugplatz 1, 63329 Egelsbach",
    records: [],
    role: "owner",
  },
  {
    name: "Max Öztürk",
    key: "max",
    types: ["mechanic"],
    born: "1983-11-02",
    address: "Werkstraße 8, 63225 Langen",
    records: [],
    role: "mechanic",
  },
  {
    name: "Birgit Schäfer",
    key: "birgit",
    types: ["staff"],
    born: "1968-07-30",
    address: "Lindenallee 22, 64546 Mörfelden-Walldorf",
    records: [],
    role: "accountant",
  },
];

export const instructors: readonly Person[] = [
  {
    name: "Ines Berg",
    key: "ines",
    types: ["instructor", "pilot"],
    born: "1981-03-14",
    address: "Höhenweg 5, 63303 Dreieich",
    licence: "DE.FCL.1207",
    records: [
      medical(300, "class_1"),
      ["licence", "cpl", null],
      ["elp", "6", null],
      ["sep", null, 240],
      ["tmg", null, 240],
      ["fi", null, 240],
    ],
    role: "instructor",
  },
  {
    name: "Jürgen Krämer",
    key: "juergen",
    types: ["instructor", "pilot"],
    born: "1962-09-08",
    address: "Rathausplatz 3, 63225 Langen",
    licence: "DE.FCL.0342",
    records: [medical(150), ...ppl, ["sep", null, 26], ["tmg", null, 26], ["night", null, null], ["fi", null, 420]],
    role: "instructor",
  },
  {
    name: "Katarzyna Zielińska",
    key: "katarzyna",
    types: ["instructor", "pilot"],
    born: "1990-12-01",
    address: "Mainzer Straße 71, 64293 Darmstadt",
    licence: "PL.FCL.8812",
    records: [medical(500), ...ppl, ["sep", null, 380], ["tmg", null, 380], ["fi", null, 600]],
  },
];
