/** The modules that an installation offers, for front ends. All of them, including those that this version does not have yet. */
export const capabilityNames = [
  "people",
  "fleet",
  "flights",
  "maintenance",
  "compliance",
  "training",
  "evidence",
  "planning",
  "finance",
  "integrations",
  "sharing",
  "marketplace",
  "addons",
  "directory",
  "console",
] as const;

export type Capability = (typeof capabilityNames)[number];
