/**
 * The exercises of the flight training for the PPL(A) and the LAPL(A), after AMC1 FCL.210.A and AMC1 FCL.110.A. What a student
 * is to show is in Windsock's own words; a school adapts it.
 */
import type { Language, Translated } from "../../../core/languages.ts";
import type { Lesson } from "../revisions/syllabus.schemas.ts";
import { scaleCode } from "./scales.ts";

interface Exercise {
  code: string;
  phase: string;
  name: Translated;
  items: readonly Translated[];
}

const all: readonly Exercise[] = [
  {
    code: "1a",
    phase: "basics",
    name: { en: "Familiarisation with the aeroplane", de: "Vertrautmachen mit dem Flugzeug" },
    items: [
      { en: "Describes layout and systems", de: "Aufbau und Systeme beschreiben" },
      { en: "Uses the checklists", de: "Mit Checklisten arbeiten" },
    ],
  },
  {
    code: "1b",
    phase: "basics",
    name: { en: "Emergency drills", de: "Notverfahren" },
    items: [
      { en: "Fire on the ground and in the air", de: "Brand am Boden und in der Luft" },
      { en: "Failures of systems", de: "Ausfall von Systemen" },
      { en: "Leaving the aircraft", de: "Verlassen des Flugzeugs" },
    ],
  },
  {
    code: "2",
    phase: "basics",
    name: { en: "Preparation for and action after flight", de: "Flugvorbereitung und Arbeiten nach dem Flug" },
    items: [
      { en: "Documents, mass and balance", de: "Bordpapiere, Masse und Schwerpunkt" },
      { en: "Walk-around and checks", de: "Vorflugkontrolle und Checks" },
      { en: "Engine start and shutdown", de: "Anlassen und Abstellen des Motors" },
    ],
  },
  {
    code: "3",
    phase: "basics",
    name: { en: "Air experience", de: "Eingewöhnungsflug" },
    items: [
      {
        en: "Knows the training area and its landmarks",
        de: "Den Übungsraum und seine Orientierungspunkte kennen",
      },
    ],
  },
  {
    code: "4",
    phase: "basics",
    name: { en: "Effects of controls", de: "Wirkung der Ruder" },
    items: [
      { en: "Primary and further effects", de: "Haupt- und Nebenwirkungen" },
      {
        en: "Effects of airspeed, power, trim and flaps",
        de: "Einfluss von Fahrt, Motorleistung, Trimmung und Klappen",
      },
      { en: "Mixture and carburettor heat", de: "Gemisch und Vergaservorwärmung" },
    ],
  },
  {
    code: "5a",
    phase: "basics",
    name: { en: "Taxiing", de: "Rollen" },
    items: [
      { en: "Controls speed and direction", de: "Tempo und Richtung beherrschen" },
      { en: "Allows for wind", de: "Ruderstellung nach dem Wind" },
      { en: "Follows signs and clearances", de: "Zeichen und Freigaben befolgen" },
    ],
  },
  {
    code: "5b",
    phase: "basics",
    name: { en: "Taxi emergencies", de: "Notfälle beim Rollen" },
    items: [{ en: "Brake or steering failure", de: "Ausfall von Bremse oder Lenkung" }],
  },
  {
    code: "6",
    phase: "basics",
    name: { en: "Straight and level flight", de: "Horizontaler Geradeausflug" },
    items: [
      { en: "Holds height, heading and balance", de: "Höhe und Kurs halten, Kugel in der Mitte" },
      { en: "Flies at various speeds", de: "Mit verschiedenen Geschwindigkeiten fliegen" },
    ],
  },
  {
    code: "7",
    phase: "basics",
    name: { en: "Climbing", de: "Steigflug" },
    items: [
      { en: "Enters, holds and leaves a climb", de: "Steigflug einleiten, halten und beenden" },
      { en: "Climbs with flaps", de: "Steigflug mit Klappen" },
    ],
  },
  {
    code: "8",
    phase: "basics",
    name: { en: "Descending", de: "Sinkflug" },
    items: [
      { en: "Enters, holds and leaves a descent", de: "Sinkflug einleiten, halten und beenden" },
      { en: "Glides and descends with power", de: "Gleitflug und Sinkflug mit Motorleistung" },
      { en: "Sideslips", de: "Seitengleitflug" },
    ],
  },
  {
    code: "9",
    phase: "basics",
    name: { en: "Turning", de: "Kurvenflug" },
    items: [
      { en: "Level turns", de: "Horizontale Kurven" },
      { en: "Climbing and descending turns", de: "Kurven im Steig- und im Sinkflug" },
      { en: "Turns to headings", de: "Ausleiten auf vorgegebene Kurse" },
    ],
  },
  {
    code: "10a",
    phase: "basics",
    name: { en: "Slow flight", de: "Langsamflug" },
    items: [
      { en: "Holds a critically low speed", de: "Nahe der Mindestfahrt fliegen" },
      { en: "Returns to a safe speed", de: "Wieder sichere Fahrt aufnehmen" },
    ],
  },
  {
    code: "10b",
    phase: "basics",
    name: { en: "Stalling", de: "Überziehen" },
    items: [
      { en: "Recognises the signs", de: "Die Anzeichen erkennen" },
      { en: "Recovers with and without power", de: "Ausleiten mit und ohne Motorleistung" },
      { en: "Recovers with flaps and in turns", de: "Ausleiten mit Klappen und aus der Kurve" },
    ],
  },
  {
    code: "11",
    phase: "basics",
    name: { en: "Spin avoidance", de: "Vermeiden des Trudelns" },
    items: [
      { en: "Recovers at the incipient stage", de: "Ausleiten, sobald das Trudeln beginnt" },
      { en: "Copes with distractions at low speed", de: "Bei geringer Fahrt sicher bleiben, auch abgelenkt" },
    ],
  },
  {
    code: "12",
    phase: "solo",
    name: { en: "Take-off and climb to the downwind position", de: "Start und Steigflug bis in den Gegenanflug" },
    items: [
      { en: "Normal take-off", de: "Normaler Start" },
      { en: "Crosswind take-off", de: "Start bei Seitenwind" },
      { en: "Short and soft field take-off", de: "Start auf kurzer und auf weicher Piste" },
    ],
  },
  {
    code: "13",
    phase: "solo",
    name: { en: "Circuit, approach and landing", de: "Platzrunde, Anflug und Landung" },
    items: [
      { en: "Circuit and lookout", de: "Platzrunde und Luftraumbeobachtung" },
      { en: "Normal and glide approach", de: "Anflug mit Motorleistung und im Gleitflug" },
      { en: "Crosswind landing", de: "Landung bei Seitenwind" },
      { en: "Go-around", de: "Durchstarten" },
    ],
  },
  {
    code: "12/13E",
    phase: "solo",
    name: { en: "Emergencies in the circuit", de: "Notfälle in der Platzrunde" },
    items: [
      { en: "Abandoned take-off", de: "Startabbruch" },
      { en: "Engine failure after take-off", de: "Motorausfall nach dem Start" },
      { en: "Missed approach", de: "Abgebrochener Anflug" },
    ],
  },
  {
    code: "14",
    phase: "solo",
    name: { en: "First solo", de: "Erster Alleinflug" },
    items: [{ en: "Flies a circuit alone", de: "Allein eine Platzrunde fliegen" }],
  },
  {
    code: "15",
    phase: "navigation",
    name: { en: "Advanced turning", de: "Erweiterter Kurvenflug" },
    items: [
      { en: "Steep turns", de: "Steilkurven" },
      { en: "Recovers from unusual attitudes", de: "Ungewöhnliche Fluglagen beenden" },
    ],
  },
  {
    code: "16",
    phase: "navigation",
    name: { en: "Forced landing without power", de: "Notlandeübung ohne Motorleistung" },
    items: [
      { en: "Chooses a field and plans the approach", de: "Landefeld wählen und Anflug einteilen" },
      { en: "Checks and calls", de: "Checks und Notmeldung" },
    ],
  },
  {
    code: "17",
    phase: "navigation",
    name: { en: "Precautionary landing", de: "Sicherheitslandung" },
    items: [
      { en: "Inspects a field", de: "Landefeld aus der Luft erkunden" },
      { en: "Lands on it with power", de: "Anflug mit Schleppgas und Landung" },
    ],
  },
  {
    code: "18a",
    phase: "navigation",
    name: { en: "Navigation", de: "Überlandflug mit Sichtnavigation" },
    items: [
      { en: "Plans the flight", de: "Den Flug planen" },
      { en: "Keeps heading, time and log", de: "Kurs halten, Zeiten nehmen, Flugdurchführungsplan führen" },
      { en: "Diverts to another aerodrome", de: "Zu einem anderen Flugplatz ausweichen" },
      { en: "Joins and leaves aerodromes", de: "An- und Abflug an Flugplätzen" },
    ],
  },
  {
    code: "18b",
    phase: "navigation",
    name: {
      en: "Navigation at low level and in reduced visibility",
      de: "Navigation in niedriger Höhe und bei verminderter Sicht",
    },
    items: [
      { en: "Keeps clear of terrain", de: "Sicheren Abstand zum Gelände halten" },
      { en: "Decides in time", de: "Sich rechtzeitig entscheiden" },
    ],
  },
  {
    code: "18c",
    phase: "navigation",
    name: { en: "Radio navigation", de: "Funknavigation" },
    items: [{ en: "Uses GNSS, VOR and radar services", de: "GNSS, VOR und Radardienste nutzen" }],
  },
  {
    code: "19",
    phase: "navigation",
    name: { en: "Basic instrument flight", de: "Grundlagen des Fliegens nach Instrumenten" },
    items: [
      { en: "Straight and level, climbs and turns", de: "Geradeausflug, Steigflug und Kurven" },
      { en: "Recovers from unusual attitudes", de: "Ungewöhnliche Fluglagen beenden" },
    ],
  },
];

const kinds: Readonly<Record<string, Lesson["kind"]>> = {
  "1a": "ground",
  "1b": "ground",
  "14": "solo",
  "18S": "solo",
};

/** What must be done before: everything that a first solo needs, and the first solo before navigation alone. */
const requires: Readonly<Record<string, readonly string[]>> = {
  "10b": ["10a"],
  "13": ["12"],
  "14": ["10b", "11", "12", "13", "12/13E"],
  "18b": ["18a"],
  "18S": ["14", "18a"],
};

/** Not an exercise of the AMC, but what the licences ask for. */
const soloNavigation: Exercise = {
  code: "18S",
  phase: "navigation",
  name: { en: "Solo cross-country flights", de: "Allein-Überlandflüge" },
  items: [
    { en: "Plans and flies a cross-country flight alone", de: "Einen Überlandflug allein planen und durchführen" },
    { en: "Flies the long cross-country flight", de: "Großer Allein-Überlandflug" },
  ],
};

/** The codes of lesson and item of what an instructor with restricted privileges does not send a student on. */
const milestones: Readonly<Record<string, NonNullable<Lesson["items"][number]["milestone"]>>> = {
  "14/1": "first_solo",
  "18S/1": "first_solo_cross_country",
};

/** @param without codes that the licence does not ask for */
export const exercises = (language: Language, without: readonly string[] = []): Lesson[] =>
  [...all, soloNavigation]
    .filter(({ code }) => !without.includes(code))
    .map(({ code, phase, name, items }) => ({
      code,
      name: name[language],
      kind: kinds[code] ?? "dual",
      phase,
      requires: [...(requires[code] ?? [])],
      items: items.map((item, at) => ({
        code: String(at + 1),
        name: item[language],
        scale: scaleCode,
        milestone: milestones[`${code}/${at + 1}`] ?? null,
      })),
    }));
