/** `FSTD` is a simulator (flight simulation training device). */
export const aircraftClasses = ["SEP", "MEP", "TMG", "SET", "sailplane", "helicopter", "other", "FSTD"] as const;
export type AircraftClass = (typeof aircraftClasses)[number];
