/** What a school can count on here, told to its front ends. */
import { z } from "zod";

/** Everything that a school may work with, whether or not this version has it. */
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
] as const;

export type Capability = (typeof capabilityNames)[number];

const Available = z.boolean();

export const Modules = z
  .strictObject(
    Object.fromEntries(capabilityNames.map((name) => [name, Available])) as Record<Capability, typeof Available>,
  )
  .meta({ description: "Whether this installation has each module, and it is switched on." });

/** For each module whether it is available. */
export const toModules = (available: ReadonlySet<Capability>): z.infer<typeof Modules> =>
  Modules.parse(Object.fromEntries(capabilityNames.map((name) => [name, available.has(name)])));
