import { medical, type Student } from "./person.ts";

export const students: readonly Student[] = [
  student("Sam Weber", "sam", "Feldweg 1, 63225 Langen", {
    born: "2001-02-11",
    plannedUntil: 60,
    stage: 13,
    pace: 3,
    medicalUntil: 14,
  }),
  student("Lena Hoffmann", "lena", "Gartenstraße 14, 64295 Darmstadt", {
    born: "2004-08-23",
    plannedUntil: 50,
    stage: 4,
    pace: 3,
  }),
  student("Piotr Nowak", "piotr", "Bahnhofstraße 9, 63263 Neu-Isenburg", {
    born: "1996-01-17",
    plannedUntil: 20,
    stage: 20,
    pace: 2,
    flies: ["D-EABC", "D-EFGH"],
  }),
  student("Emre Yıldız", "emre", "Schillerstraße 40, 63065 Offenbach", {
    born: "1988-06-05",
    plannedUntil: 56,
    stage: 8,
    pace: 2,
    program: "lapl-a",
  }),
  student("Greta Schönfeld", "greta", "Am Mühlbach 2, 64521 Groß-Gerau", {
    born: "2007-10-29",
    plannedUntil: 18,
    stage: 1,
    pace: 3,
  }),
  student("Marek Wójcik", "marek", "Ulmenweg 17, 63322 Rödermark", {
    born: "1979-04-03",
    plannedUntil: 30,
    stage: 15,
    pace: 1,
    program: "lapl-a",
    flies: ["D-KIWI"],
  }),
  student("Jonas Großmann", "jonas", "Kirchgasse 6, 64331 Weiterstadt", {
    born: "1993-09-12",
    stage: 17,
    pace: 1,
    flies: ["D-EABC", "D-ELMN"],
  }),
  student("Sophie Brandt", "sophie", "Uhlandstraße 33, 60314 Frankfurt am Main", {
    born: "1999-11-26",
    plannedUntil: 45,
    stage: 10,
    pace: 2,
  }),
];

interface AboutStudent {
  born: string;
  stage: number;
  pace: number;
  medicalUntil?: number;
  plannedUntil?: number;
  program?: Student["program"];
  flies?: readonly string[];
}

function student(name: string, key: string, address: string, about: AboutStudent): Student {
  const { born, stage, pace, medicalUntil = 400 + stage * 10, program = "ppl-a", plannedUntil = null } = about;
  const { flies = ["D-ELMN", "D-EABC"] } = about;
  const records = [medical(medicalUntil), ["radio", null, null] as const];
  const person = { name, key, types: ["student"], born, address, records, program, stage, flies, pace, plannedUntil };
  return key === "sam" ? { ...person, role: "student" } : person;
}
