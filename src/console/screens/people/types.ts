/** What people do in a school. */
export const types = ["student", "pilot", "instructor", "mechanic", "staff"] as const;

export type PersonType = (typeof types)[number];

export const isType = (name: string | null): name is PersonType => types.some((one) => one === name);
