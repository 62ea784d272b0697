/** Built-in syllabi for ratings, and from the LAPL to the PPL. The words are Windsock's own; a school adapts them. */
import { laplLimits, ratingTrainings } from "../../compliance/rules/rules.ts";
import { ratingMinima } from "../../compliance/rules/training-minima.ts";
import { ratingSyllabus } from "./rating-syllabus.ts";

const { ppl_from_lapl, tmg, night, aerobatic, towing } = ratingTrainings;

/** Who holds an LAPL(A) has passed the theory exams. */
export const pplFromLapl = ratingSyllabus(
  {
    kind: "ppl_a",
    name: { en: "PPL(A) for holders of an LAPL(A)", de: "PPL(A) für Inhaber einer LAPL(A)" },
    rule: ppl_from_lapl,
    minima: ratingMinima(ppl_from_lapl),
    classes: [...laplLimits.classes],
    skill_test: true,
  },
  [
    [
      "1",
      "dual",
      [],
      { en: "Basic instrument flight", de: "Grundlagen des Fliegens nach Instrumenten" },
      { en: "Straight and level, climbing and descending", de: "Geradeausflug, Steig- und Sinkflug" },
      { en: "Turns", de: "Kurven" },
      { en: "Recovers from unusual attitudes", de: "Ungewöhnliche Fluglagen beenden" },
    ],
    [
      "2",
      "dual",
      [],
      { en: "Radio navigation", de: "Funknavigation" },
      { en: "Determines the position", de: "Den Standort bestimmen" },
      { en: "Tracks to and from a facility", de: "Auf Standlinien zu einer Anlage hin und von ihr weg fliegen" },
      { en: "Uses GNSS", de: "Mit GNSS navigieren" },
    ],
    [
      "3",
      "dual",
      [],
      { en: "Cross-country flight with an instructor", de: "Überlandflug mit Fluglehrer" },
      { en: "Plans the flight", de: "Den Flug planen" },
      { en: "Controlled airspace and aerodromes", de: "Kontrollierter Luftraum und kontrollierte Flugplätze" },
      { en: "Diverts", de: "Zu einem anderen Flugplatz ausweichen" },
    ],
    [
      "4",
      "solo",
      [],
      { en: "Solo flight", de: "Alleinflug" },
      { en: "Circuits and the training area", de: "Platzrunden und Übungsraum" },
    ],
    [
      "5",
      "solo",
      ["3"],
      { en: "Solo cross-country flights", de: "Allein-Überlandflüge" },
      { en: "Plans and flies alone", de: "Allein planen und fliegen" },
      { en: "Flies the long cross-country flight", de: "Der lange Allein-Überlandflug" },
    ],
    [
      "6",
      "dual",
      ["1", "2", "5"],
      { en: "Preparation for the skill test", de: "Vorbereitung auf die praktische Prüfung" },
      { en: "Flies as the skill test asks for", de: "Fliegen, wie es die praktische Prüfung verlangt" },
    ],
  ],
);

export const tmgClass = ratingSyllabus(
  {
    kind: "tmg",
    name: { en: "Class rating TMG", de: "Klassenberechtigung TMG" },
    rule: tmg,
    minima: ratingMinima(tmg),
    classes: ["TMG"],
    skill_test: true,
  },
  [
    [
      "1",
      "ground",
      [],
      { en: "The touring motor glider", de: "Der Reisemotorsegler" },
      { en: "Systems and engine management", de: "Systeme und Motorbedienung" },
      { en: "Operational procedures", de: "Betriebsverfahren" },
      { en: "Flight performance and planning", de: "Flugleistung und Flugplanung" },
    ],
    [
      "2",
      "dual",
      ["1"],
      { en: "Handling", de: "Führen des Reisemotorseglers" },
      { en: "Air brakes", de: "Bremsklappen" },
      { en: "Stalls and steep turns", de: "Überziehen und Steilkurven" },
      {
        en: "Stops and restarts the engine in flight",
        de: "Motor im Flug abstellen und wieder anlassen",
      },
    ],
    [
      "3",
      "dual",
      ["2"],
      { en: "Take-off and landing", de: "Start und Landung" },
      {
        en: `At least ${tmg.dual_landings} take-offs and landings with an instructor`,
        de: `Mindestens ${tmg.dual_landings} Starts und Landungen mit Fluglehrer`,
      },
      { en: "Crosswind", de: "Seitenwind" },
      { en: "Landing with the engine stopped", de: "Landung mit stehendem Motor" },
    ],
    [
      "4",
      "solo",
      ["3"],
      { en: "Solo take-offs and landings", de: "Starts und Landungen im Alleinflug" },
      { en: "Circuits alone", de: "Platzrunden allein" },
    ],
  ],
);

export const nightRating = ratingSyllabus(
  {
    kind: "night",
    name: { en: "Night rating", de: "Nachtflugberechtigung" },
    rule: night,
    minima: ratingMinima(night),
  },
  [
    [
      "1",
      "ground",
      [],
      { en: "Theory of night flight", de: "Theorie des Nachtflugs" },
      { en: "Night VFR and its minima", de: "VFR bei Nacht und seine Mindestwetterbedingungen" },
      {
        en: "Lights of aerodromes and aircraft",
        de: "Flugplatzbefeuerung und Lichter der Luftfahrzeuge",
      },
      { en: "Vision and its illusions", de: "Sehen bei Nacht und optische Täuschungen" },
      { en: "Emergencies at night", de: "Notfälle bei Nacht" },
    ],
    [
      "2",
      "dual",
      [],
      { en: "Basic instrument flight", de: "Grundlagen des Fliegens nach Instrumenten" },
      { en: "Flies by sole reference to instruments", de: "Ausschließlich nach Instrumenten fliegen" },
    ],
    [
      "3",
      "dual",
      ["1", "2"],
      { en: "Circuits at night", de: "Platzrunden bei Nacht" },
      { en: "Take-off, circuit and landing", de: "Start, Platzrunde und Landung" },
      { en: "Landing without landing light", de: "Landung ohne Landescheinwerfer" },
      { en: "Failure of the lights of the aerodrome", de: "Ausfall der Flugplatzbefeuerung" },
    ],
    [
      "4",
      "dual",
      ["3"],
      { en: "Navigation at night", de: "Navigation bei Nacht" },
      {
        en: `A cross-country flight of at least ${night.dual_cross_country_km} km`,
        de: `Ein Überlandflug von mindestens ${night.dual_cross_country_km} km`,
      },
      { en: "Diverts at night", de: "Bei Nacht zu einem anderen Flugplatz ausweichen" },
    ],
    [
      "5",
      "solo",
      ["3"],
      { en: "Solo at night", de: "Alleinflug bei Nacht" },
      { en: "Take-offs and full-stop landings alone", de: "Allein Starts und Landungen bis zum Stillstand" },
    ],
  ],
);

export const aerobaticRating = ratingSyllabus(
  {
    kind: "aerobatic",
    name: { en: "Aerobatic rating", de: "Kunstflugberechtigung" },
    rule: aerobatic,
    minima: ratingMinima(aerobatic),
  },
  [
    [
      "1",
      "ground",
      [],
      { en: "Theory of aerobatics", de: "Theorie des Kunstflugs" },
      {
        en: `${aerobatic.pic_hours_before} hours as PIC since the licence, by the logbook`,
        de: `${aerobatic.pic_hours_before} Stunden als PIC seit Erteilung der Lizenz, nach dem Flugbuch`,
      },
      { en: "Human performance and load factors", de: "Menschliches Leistungsvermögen und Lastvielfache" },
      { en: "Limits of the aircraft", de: "Betriebsgrenzen des Luftfahrzeugs" },
      { en: "Airspace, heights and lookout", de: "Luftraum, Höhen und Luftraumbeobachtung" },
    ],
    [
      "2",
      "dual",
      ["1"],
      { en: "Confidence manoeuvres and recoveries", de: "Gewöhnungsübungen und Ausleiten" },
      { en: "Slow flight, stalls and spins", de: "Langsamflug, Überziehen und Trudeln" },
      { en: "Recovers from unusual attitudes", de: "Ungewöhnliche Fluglagen beenden" },
    ],
    [
      "3",
      "dual",
      ["2"],
      { en: "Aerobatic manoeuvres", de: "Kunstflugfiguren" },
      { en: "Rolling manoeuvres", de: "Rollen" },
      { en: "Looping manoeuvres", de: "Loopings und Teilloopings" },
      { en: "Combinations", de: "Kombinierte Figuren" },
      { en: "Enters and leaves a spin", de: "Trudeln einleiten und ausleiten" },
    ],
    [
      "4",
      "dual",
      ["2"],
      { en: "Emergencies", de: "Notfälle" },
      { en: "Recovers from failed manoeuvres", de: "Misslungene Figuren beenden" },
      { en: "Drills for leaving the aircraft", de: "Den Notausstieg üben" },
    ],
    [
      "5",
      "dual",
      ["3", "4"],
      { en: "A sequence", de: "Ein Kunstflugprogramm" },
      { en: "Plans and flies a sequence safely", de: "Ein Programm planen und sicher fliegen" },
    ],
  ],
);

export const towingRating = ratingSyllabus(
  {
    kind: "towing",
    name: { en: "Towing of sailplanes", de: "Schleppen von Segelflugzeugen" },
    rule: towing,
    minima: ratingMinima(towing),
  },
  [
    [
      "1",
      "ground",
      [],
      { en: "Theory of towing", de: "Theorie des Flugzeugschlepps" },
      {
        en: `${towing.pic_hours_before} hours as PIC and ${towing.landings_before} take-offs and landings since the licence, by the logbook`,
        de: `${towing.pic_hours_before} Stunden als PIC und ${towing.landings_before} Starts und Landungen seit Erteilung der Lizenz, nach dem Flugbuch`,
      },
      {
        en: "Rules, ropes, weak links and releases",
        de: "Vorschriften, Schleppseile, Sollbruchstellen und Schleppkupplungen",
      },
      { en: "Signals and communication", de: "Zeichen und Verständigung" },
      { en: "Performance of the combination", de: "Flugleistung des Schleppzugs" },
    ],
    [
      "2",
      "dual",
      ["1"],
      { en: "Towing with an instructor", de: "Schleppen mit Fluglehrer" },
      {
        en: `At least ${towing.dual_flights} towing flights with an instructor`,
        de: `Mindestens ${towing.dual_flights} Schleppflüge mit Fluglehrer`,
      },
      { en: "Take-off, crosswind included", de: "Start, auch bei Seitenwind" },
      { en: "Circles on tow", de: "Kreisen im Schlepp" },
      { en: "Descends on tow", de: "Sinkflug im Schlepp" },
      { en: "Releases and lands with the rope", de: "Ausklinken und Landung mit Seil" },
      { en: "Emergencies, simulated", de: "Simulierte Notfälle" },
    ],
    [
      "3",
      "solo",
      ["2"],
      { en: "Towing under supervision", de: "Schleppen unter Aufsicht" },
      { en: "Towing flights alone", de: "Schleppflüge allein" },
    ],
    [
      "4",
      "ground",
      [],
      { en: "Familiarisation in a sailplane", de: "Einweisung im Segelflugzeug" },
      {
        en: `${towing.familiarisation_flights} flights in a sailplane launched by an aircraft, or a licence for sailplanes`,
        de: `${towing.familiarisation_flights} Flüge in einem Segelflugzeug im Flugzeugschlepp, oder eine Lizenz für Segelflugzeuge`,
      },
    ],
  ],
);
