/** What an aircraft is, and by what its hours are charged. */
export const classes = ["SEP", "MEP", "TMG", "SET", "sailplane", "helicopter", "other", "FSTD"] as const;

export const isClass = (name: string): name is (typeof classes)[number] => classes.some((one) => one === name);

export const billingBases = ["block", "airborne", "hobbs", "tacho"] as const;
