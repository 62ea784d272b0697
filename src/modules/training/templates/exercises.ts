/**
 * The exercises of the flight training for the PPL(A) and the LAPL(A), after AMC1 FCL.210.A and AMC1 FCL.110.A. What a student
 * is to show is in Windsock's own words; a school adapts it.
 */
import type { Language, Translated } from "../../../core/languages.ts";
import type { Lesson } from "../revisions/syllabus.schemas.ts";
import { scaleCode } from "./scales.ts";

type Exercise = readonly [code: string, phase: string, name: Translated, ...items: Translated[]];

const all: readonly Exercise[] = [
  [
    "1a",
    "basics",
    { en: "Familiarisation with the aeroplane", de: "Vertrautmachen mit dem Flugzeug" },
    { en: "Describes layout and systems", de: "Aufbau und Systeme beschreiben" },
    { en: "Uses the checklists", de: "Mit Checklisten arbeiten" },
  ],
  [
    "1b",
    "basics",
    { en: "Emergency drills", de: "Notverfahren" },
    { en: "Fire on the ground and in the air", de: "Brand am Boden und in der Luft" },
    { en: "Failures of systems", de: "Ausfall von Systemen" },
    { en: "Leaving the aircraft", de: "Verlassen des Flugzeugs" },
  ],
  [
    "2",
    "basics",
    { en: "Preparation for and action after flight", de: "Flugvorbereitung und Arbeiten nach dem Flug" },
    { en: "Documents, mass and balance", de: "Bordpapiere, Masse und Schwerpunkt" },
    { en: "Walk-around and checks", de: "Vorflugkontrolle und Checks" },
    { en: "Engine start and shutdown", de: "Anlassen und Abstellen des Motors" },
  ],
  [
    "3",
    "basics",
    { en: "Air experience", de: "Eingewöhnungsflug" },
    {
      en: "Knows the training area and its landmarks",
      de: "Den Übungsraum und seine Orientierungspunkte kennen",
    },
  ],
  [
    "4",
    "basics",
    { en: "Effects of controls", de: "Wirkung der Ruder" },
    { en: "Primary and further effects", de: "Haupt- und Nebenwirkungen" },
    {
      en: "Effects of airspeed, power, trim and flaps",
      de: "Einfluss von Fahrt, Motorleistung, Trimmung und Klappen",
    },
    { en: "Mixture and carburettor heat", de: "Gemisch und Vergaservorwärmung" },
  ],
  [
    "5a",
    "basics",
    { en: "Taxiing", de: "Rollen" },
    { en: "Controls speed and direction", de: "Tempo und Richtung beherrschen" },
    { en: "Allows for wind", de: "Ruderstellung nach dem Wind" },
    { en: "Follows signs and clearances", de: "Zeichen und Freigaben befolgen" },
  ],
  [
    "5b",
    "basics",
    { en: "Taxi emergencies", de: "Notfälle beim Rollen" },
    { en: "Brake or steering failure", de: "Ausfall von Bremse oder Lenkung" },
  ],
  [
    "6",
    "basics",
    { en: "Straight and level flight", de: "Horizontaler Geradeausflug" },
    { en: "Holds height, heading and balance", de: "Höhe und Kurs halten, Kugel in der Mitte" },
    { en: "Flies at various speeds", de: "Mit verschiedenen Geschwindigkeiten fliegen" },
  ],
  [
    "7",
    "basics",
    { en: "Climbing", de: "Steigflug" },
    { en: "Enters, holds and leaves a climb", de: "Steigflug einleiten, halten und beenden" },
    { en: "Climbs with flaps", de: "Steigflug mit Klappen" },
  ],
  [
    "8",
    "basics",
    { en: "Descending", de: "Sinkflug" },
    { en: "Enters, holds and leaves a descent", de: "Sinkflug einleiten, halten und beenden" },
    { en: "Glides and descends with power", de: "Gleitflug und Sinkflug mit Motorleistung" },
    { en: "Sideslips", de: "Seitengleitflug" },
  ],
  [
    "9",
    "basics",
    { en: "Turning", de: "Kurvenflug" },
    { en: "Level turns", de: "Horizontale Kurven" },
    { en: "Climbing and descending turns", de: "Kurven im Steig- und im Sinkflug" },
    { en: "Turns to headings", de: "Ausleiten auf vorgegebene Kurse" },
  ],
  [
    "10a",
    "basics",
    { en: "Slow flight", de: "Langsamflug" },
    { en: "Holds a critically low speed", de: "Nahe der Mindestfahrt fliegen" },
    { en: "Returns to a safe speed", de: "Wieder sichere Fahrt aufnehmen" },
  ],
  [
    "10b",
    "basics",
    { en: "Stalling", de: "Überziehen" },
    { en: "Recognises the signs", de: "Die Anzeichen erkennen" },
    { en: "Recovers with and without power", de: "Ausleiten mit und ohne Motorleistung" },
    { en: "Recovers with flaps and in turns", de: "Ausleiten mit Klappen und aus der Kurve" },
  ],
  [
    "11",
    "basics",
    { en: "Spin avoidance", de: "Vermeiden des Trudelns" },
    { en: "Recovers at the incipient stage", de: "Ausleiten, sobald das Trudeln beginnt" },
    { en: "Copes with distractions at low speed", de: "Bei geringer Fahrt sicher bleiben, auch abgelenkt" },
  ],
  [
    "12",
    "solo",
    { en: "Take-off and climb to the downwind position", de: "Start und Steigflug bis in den Gegenanflug" },
    { en: "Normal take-off", de: "Normaler Start" },
    { en: "Crosswind take-off", de: "Start bei Seitenwind" },
    { en: "Short and soft field take-off", de: "Start auf kurzer und auf weicher Piste" },
  ],
  [
    "13",
    "solo",
    { en: "Circuit, approach and landing", de: "Platzrunde, Anflug und Landung" },
    { en: "Circuit and lookout", de: "Platzrunde und Luftraumbeobachtung" },
    { en: "Normal and glide approach", de: "Anflug mit Motorleistung und im Gleitflug" },
    { en: "Crosswind landing", de: "Landung bei Seitenwind" },
    { en: "Go-around", de: "Durchstarten" },
  ],
  [
    "12/13E",
    "solo",
    { en: "Emergencies in the circuit", de: "Notfälle in der Platzrunde" },
    { en: "Abandoned take-off", de: "Startabbruch" },
    { en: "Engine failure after take-off", de: "Motorausfall nach dem Start" },
    { en: "Missed approach", de: "Abgebrochener Anflug" },
  ],
  [
    "14",
    "solo",
    { en: "First solo", de: "Erster Alleinflug" },
    { en: "Flies a circuit alone", de: "Allein eine Platzrunde fliegen" },
  ],
  [
    "15",
    "navigation",
    { en: "Advanced turning", de: "Erweiterter Kurvenflug" },
    { en: "Steep turns", de: "Steilkurven" },
    { en: "Recovers from unusual attitudes", de: "Ungewöhnliche Fluglagen beenden" },
  ],
  [
    "16",
    "navigation",
    { en: "Forced landing without power", de: "Notlandeübung ohne Motorleistung" },
    { en: "Chooses a field and plans the approach", de: "Landefeld wählen und Anflug einteilen" },
    { en: "Checks and calls", de: "Checks und Notmeldung" },
  ],
  [
    "17",
    "navigation",
    { en: "Precautionary landing", de: "Sicherheitslandung" },
    { en: "Inspects a field", de: "Landefeld aus der Luft erkunden" },
    { en: "Lands on it with power", de: "Anflug mit Schleppgas und Landung" },
  ],
  [
    "18a",
    "navigation",
    { en: "Navigation", de: "Überlandflug mit Sichtnavigation" },
    { en: "Plans the flight", de: "Den Flug planen" },
    { en: "Keeps heading, time and log", de: "Kurs halten, Zeiten nehmen, Flugdurchführungsplan führen" },
    { en: "Diverts to another aerodrome", de: "Zu einem anderen Flugplatz ausweichen" },
    { en: "Joins and leaves aerodromes", de: "An- und Abflug an Flugplätzen" },
  ],
  [
    "18b",
    "navigation",
    {
      en: "Navigation at low level and in reduced visibility",
      de: "Navigation in niedriger Höhe und bei verminderter Sicht",
    },
    { en: "Keeps clear of terrain", de: "Sicheren Abstand zum Gelände halten" },
    { en: "Decides in time", de: "Sich rechtzeitig entscheiden" },
  ],
  [
    "18c",
    "navigation",
    { en: "Radio navigation", de: "Funknavigation" },
    { en: "Uses GNSS, VOR and radar services", de: "GNSS, VOR und Radardienste nutzen" },
  ],
  [
    "19",
    "navigation",
    { en: "Basic instrument flight", de: "Grundlagen des Fliegens nach Instrumenten" },
    { en: "Straight and level, climbs and turns", de: "Geradeausflug, Steigflug und Kurven" },
    { en: "Recovers from unusual attitudes", de: "Ungewöhnliche Fluglagen beenden" },
  ],
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
const soloNavigation: Exercise = [
  "18S",
  "navigation",
  { en: "Solo cross-country flights", de: "Allein-Überlandflüge" },
  { en: "Plans and flies a cross-country flight alone", de: "Einen Überlandflug allein planen und durchführen" },
  { en: "Flies the long cross-country flight", de: "Der lange Allein-Überlandflug" },
];

/** The codes of lesson and item of what an instructor with restricted privileges does not send a student on. */
const milestones: Readonly<Record<string, NonNullable<Lesson["items"][number]["milestone"]>>> = {
  "14/1": "first_solo",
  "18S/1": "first_solo_cross_country",
};

/** @param without codes that the licence does not ask for */
export const exercises = (language: Language, without: readonly string[] = []): Lesson[] =>
  [...all, soloNavigation]
    .filter(([code]) => !without.includes(code))
    .map(([code, phase, name, ...items]) => ({
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
