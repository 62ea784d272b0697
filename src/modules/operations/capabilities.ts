/** The modules that an installation offers, for front ends. */
import { z } from "zod";

/** All modules, including those that this version does not have yet. */
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

const Available = z.boolean();

export const Modules = z
  .strictObject(
    Object.fromEntries(capabilityNames.map((name) => [name, Available])) as Record<Capability, typeof Available>,
  )
  .meta({ description: "Whether each module is installed and enabled." });

/** Returns for each module whether it is available. */
export const toModules = (available: ReadonlySet<Capability>): z.infer<typeof Modules> =>
  Modules.parse(Object.fromEntries(capabilityNames.map((name) => [name, available.has(name)])));
