/** What a school can count on here, told to its front ends. */
import { z } from "zod";

/** Everything a school may work with, whether or not this version has it. */
export const moduleNames = [
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

type ModuleName = (typeof moduleNames)[number];

export const Modules = z.record(z.enum(moduleNames), z.boolean()).meta({
  description: "Which modules this installation has.",
  examples: [{ flights: true, maintenance: false }],
});

/** Those that this version has. */
const built: ReadonlySet<ModuleName> = new Set(["people", "fleet", "flights", "integrations"]);

/** For each module whether it is there and the operator has not switched it off. */
export const capabilities = (disabled: ReadonlySet<string>): z.infer<typeof Modules> =>
  Modules.parse(Object.fromEntries(moduleNames.map((name) => [name, built.has(name) && !disabled.has(name)])));
