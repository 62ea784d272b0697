/** What a school can count on here, told to its front ends. */
import { z } from "zod";

const here = z.boolean();

/** Everything a school may work with, whether or not this version has it. */
export const Modules = z
  .strictObject({
    people: here,
    fleet: here,
    flights: here,
    maintenance: here,
    compliance: here,
    training: here,
    evidence: here,
    planning: here,
    finance: here,
    integrations: here,
    sharing: here,
    marketplace: here,
    addons: here,
    directory: here,
  })
  .meta({ description: "Whether this installation has each module, and it is switched on." });

const ModuleName = Modules.keyof();
type ModuleName = z.infer<typeof ModuleName>;
export const moduleNames: readonly ModuleName[] = ModuleName.options;

/** Those that this version has. */
const built: ReadonlySet<ModuleName> = new Set(["people", "fleet", "flights", "integrations"]);

/** For each module whether it is there and the operator has not switched it off. */
export const capabilities = (disabled: ReadonlySet<string>): z.infer<typeof Modules> =>
  Modules.parse(Object.fromEntries(moduleNames.map((name) => [name, built.has(name) && !disabled.has(name)])));
