/** The aircraft of the demo school: D-EFGH gets grounded, and D-EIJK is near its 100-hour inspection. */
export interface DemoAircraft {
  registration: string;
  model: string;
  icao_type: string;
  serial_number: string;
  class: "SEP" | "TMG";
  mtom_kg: number;
  seats: number;
  /** Euros an hour, wet. */
  price: number;
  /** In tenths of an hour, when the demo's months begin. */
  hobbs: number;
  /** Hours since the last inspection by then; of D-EIJK, at the end of the months. */
  hoursFlown: number;
  litresPerHour: number;
}

export const fleet: readonly DemoAircraft[] = [
  aircraft("D-EABC", "Cessna 172S", "C172", {
    serial: "172S9876",
    mass: 1157,
    seats: 4,
    price: 225,
    hobbs: 12_345,
    flown: 45,
    fuel: 34,
  }),
  aircraft("D-EFGH", "Piper PA-28-161", "P28A", {
    serial: "2816042",
    mass: 1055,
    seats: 4,
    price: 205,
    hobbs: 43_102,
    flown: 21,
    fuel: 32,
  }),
  aircraft("D-EIJK", "Diamond DA40 NG", "DA40", {
    serial: "D4.218",
    mass: 1280,
    seats: 4,
    price: 245,
    hobbs: 8120,
    flown: 98.7,
    fuel: 22,
  }),
  aircraft("D-ELMN", "Cessna 152", "C152", {
    serial: "15284511",
    mass: 757,
    seats: 2,
    price: 165,
    hobbs: 89_217,
    flown: 4,
    fuel: 23,
  }),
  aircraft("D-KIWI", "Scheibe SF 25 C", "SF25", {
    serial: "44389",
    mass: 650,
    seats: 2,
    price: 120,
    hobbs: 27_306,
    flown: 17,
    fuel: 14,
  }),
];

interface AboutAircraft {
  serial: string;
  mass: number;
  seats: number;
  price: number;
  hobbs: number;
  flown: number;
  fuel: number;
}

function aircraft(registration: string, model: string, icao_type: string, about: AboutAircraft): DemoAircraft {
  const { serial: serial_number, mass: mtom_kg, seats, price, hobbs, flown: hoursFlown, fuel: litresPerHour } = about;
  const type = registration.startsWith("D-K") ? "TMG" : "SEP";
  return {
    registration,
    model,
    icao_type,
    serial_number,
    class: type,
    mtom_kg,
    seats,
    price,
    hobbs,
    hoursFlown,
    litresPerHour,
  };
}

/** Of the aircraft whose nose wheel shimmies, from this day on. */
export const grounded = { registration: "D-EFGH", since: -3 };
/** Of the aircraft that is next in the workshop, and when. */
export const nearlyDue = { registration: "D-EIJK", workshopOn: 3 };
