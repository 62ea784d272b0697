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
    {
      code: "1",
      kind: "dual",
      name: { en: "Basic instrument flight", de: "Grundlagen des Fliegens nach Instrumenten" },
      items: [
        { en: "Straight and level, climbing and descending", de: "Geradeausflug, Steig- und Sinkflug" },
        { en: "Turns", de: "Kurven" },
        { en: "Recovers from unusual attitudes", de: "Ungewöhnliche Fluglagen beenden" },
      ],
    },
    {
      code: "2",
      kind: "dual",
      name: { en: "Radio navigation", de: "Funknavigation" },
      items: [
        { en: "Determines the position", de: "Den Standort bestimmen" },
        { en: "Tracks to and from a facility", de: "Auf Standlinien zu einer Anlage hin und von ihr weg fliegen" },
        { en: "Uses GNSS", de: "Mit GNSS navigieren" },
      ],
    },
    {
      code: "3",
      kind: "dual",
      name: { en: "Cross-country flight with an instructor", de: "Überlandflug mit Fluglehrer" },
      items: [
        { en: "Plans the flight", de: "Den Flug planen" },
        { en: "Controlled airspace and aerodromes", de: "Kontrollierter Luftraum und kontrollierte Flugplätze" },
        { en: "Diverts", de: "Zu einem anderen Flugplatz ausweichen" },
      ],
    },
    {
      code: "4",
      kind: "solo",
      name: { en: "Solo flight", de: "Alleinflug" },
      items: [{ en: "Circuits and the training area", de: "Platzrunden und Übungsraum" }],
    },
    {
      code: "5",
      kind: "solo",
      requires: ["3"],
      name: { en: "Solo cross-country flights", de: "Allein-Überlandflüge" },
      items: [
        { en: "Plans and flies alone", de: "Allein planen und fliegen" },
        { en: "Flies the long cross-country flight", de: "Großer Allein-Überlandflug" },
      ],
    },
    {
      code: "6",
      kind: "dual",
      requires: ["1", "2", "5"],
      name: { en: "Preparation for the skill test", de: "Vorbereitung auf die praktische Prüfung" },
      items: [{ en: "Flies as the skill test asks for", de: "Fliegen, wie es die praktische Prüfung verlangt" }],
    },
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
    {
      code: "1",
      kind: "ground",
      name: { en: "The touring motor glider", de: "Der Reisemotorsegler" },
      items: [
        { en: "Systems and engine management", de: "Systeme und Motorbedienung" },
        { en: "Operational procedures", de: "Betriebsverfahren" },
        { en: "Flight performance and planning", de: "Flugleistung und Flugplanung" },
      ],
    },
    {
      code: "2",
      kind: "dual",
      requires: ["1"],
      name: { en: "Handling", de: "Führen des Reisemotorseglers" },
      items: [
        { en: "Air brakes", de: "Bremsklappen" },
        { en: "Stalls and steep turns", de: "Überziehen und Steilkurven" },
        {
          en: "Stops and restarts the engine in flight",
          de: "Motor im Flug abstellen und wieder anlassen",
        },
      ],
    },
    {
      code: "3",
      kind: "dual",
      requires: ["2"],
      name: { en: "Take-off and landing", de: "Start und Landung" },
      items: [
        {
          en: `At least ${tmg.dual_landings} take-offs and landings with an instructor`,
          de: `Mindestens ${tmg.dual_landings} Starts und Landungen mit Fluglehrer`,
        },
        { en: "Crosswind", de: "Seitenwind" },
        { en: "Landing with the engine stopped", de: "Landung mit stehendem Motor" },
      ],
    },
    {
      code: "4",
      kind: "solo",
      requires: ["3"],
      name: { en: "Solo take-offs and landings", de: "Starts und Landungen im Alleinflug" },
      items: [{ en: "Circuits alone", de: "Platzrunden allein" }],
    },
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
    {
      code: "1",
      kind: "ground",
      name: { en: "Theory of night flight", de: "Theorie des Nachtflugs" },
      items: [
        { en: "Night VFR and its minima", de: "VFR bei Nacht und seine Mindestwetterbedingungen" },
        {
          en: "Lights of aerodromes and aircraft",
          de: "Flugplatzbefeuerung und Lichter der Luftfahrzeuge",
        },
        { en: "Vision and its illusions", de: "Sehen bei Nacht und optische Täuschungen" },
        { en: "Emergencies at night", de: "Notfälle bei Nacht" },
      ],
    },
    {
      code: "2",
      kind: "dual",
      name: { en: "Basic instrument flight", de: "Grundlagen des Fliegens nach Instrumenten" },
      items: [{ en: "Flies by sole reference to instruments", de: "Ausschließlich nach Instrumenten fliegen" }],
    },
    {
      code: "3",
      kind: "dual",
      requires: ["1", "2"],
      name: { en: "Circuits at night", de: "Platzrunden bei Nacht" },
      items: [
        { en: "Take-off, circuit and landing", de: "Start, Platzrunde und Landung" },
        { en: "Landing without landing light", de: "Landung ohne Landescheinwerfer" },
        { en: "Failure of the lights of the aerodrome", de: "Ausfall der Flugplatzbefeuerung" },
      ],
    },
    {
      code: "4",
      kind: "dual",
      requires: ["3"],
      name: { en: "Navigation at night", de: "Navigation bei Nacht" },
      items: [
        {
          en: `A cross-country flight of at least ${night.dual_cross_country_km} km`,
          de: `Ein Überlandflug von mindestens ${night.dual_cross_country_km} km`,
        },
        { en: "Diverts at night", de: "Bei Nacht zu einem anderen Flugplatz ausweichen" },
      ],
    },
    {
      code: "5",
      kind: "solo",
      requires: ["3"],
      name: { en: "Solo at night", de: "Alleinflug bei Nacht" },
      items: [{ en: "Take-offs and full-stop landings alone", de: "Allein Starts und Landungen bis zum Stillstand" }],
    },
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
    {
      code: "1",
      kind: "ground",
      name: { en: "Theory of aerobatics", de: "Theorie des Kunstflugs" },
      items: [
        {
          en: `${aerobatic.pic_hours_before} hours as PIC since the licence, by the logbook`,
          de: `${aerobatic.pic_hours_before} Stunden als PIC seit Erteilung der Lizenz, nach dem Flugbuch`,
        },
        { en: "Human performance and load factors", de: "Menschliches Leistungsvermögen und Lastvielfache" },
        { en: "Limits of the aircraft", de: "Betriebsgrenzen des Luftfahrzeugs" },
        { en: "Airspace, heights and lookout", de: "Luftraum, Höhen und Luftraumbeobachtung" },
      ],
    },
    {
      code: "2",
      kind: "dual",
      requires: ["1"],
      name: { en: "Confidence manoeuvres and recoveries", de: "Gewöhnungsübungen und Ausleiten" },
      items: [
        { en: "Slow flight, stalls and spins", de: "Langsamflug, Überziehen und Trudeln" },
        { en: "Recovers from unusual attitudes", de: "Ungewöhnliche Fluglagen beenden" },
      ],
    },
    {
      code: "3",
      kind: "dual",
      requires: ["2"],
      name: { en: "Aerobatic manoeuvres", de: "Kunstflugfiguren" },
      items: [
        { en: "Rolling manoeuvres", de: "Rollen" },
        { en: "Looping manoeuvres", de: "Loopings und Teilloopings" },
        { en: "Combinations", de: "Kombinierte Figuren" },
        { en: "Enters and leaves a spin", de: "Trudeln einleiten und ausleiten" },
      ],
    },
    {
      code: "4",
      kind: "dual",
      requires: ["2"],
      name: { en: "Emergencies", de: "Notfälle" },
      items: [
        { en: "Recovers from failed manoeuvres", de: "Misslungene Figuren beenden" },
        { en: "Drills for leaving the aircraft", de: "Den Notausstieg üben" },
      ],
    },
    {
      code: "5",
      kind: "dual",
      requires: ["3", "4"],
      name: { en: "A sequence", de: "Ein Kunstflugprogramm" },
      items: [{ en: "Plans and flies a sequence safely", de: "Ein Programm planen und sicher fliegen" }],
    },
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
    {
      code: "1",
      kind: "ground",
      name: { en: "Theory of towing", de: "Theorie des Flugzeugschlepps" },
      items: [
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
    },
    {
      code: "2",
      kind: "dual",
      requires: ["1"],
      name: { en: "Towing with an instructor", de: "Schleppen mit Fluglehrer" },
      items: [
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
    },
    {
      code: "3",
      kind: "solo",
      requires: ["2"],
      name: { en: "Towing under supervision", de: "Schleppen unter Aufsicht" },
      items: [{ en: "Towing flights alone", de: "Schleppflüge allein" }],
    },
    {
      code: "4",
      kind: "ground",
      name: { en: "Familiarisation in a sailplane", de: "Einweisung im Segelflugzeug" },
      items: [
        {
          en: `${towing.familiarisation_flights} flights in a sailplane launched by an aircraft, or a licence for sailplanes`,
          de: `${towing.familiarisation_flights} Flüge in einem Segelflugzeug im Flugzeugschlepp, oder eine Lizenz für Segelflugzeuge`,
        },
      ],
    },
  ],
);
