/** The modules that an installation offers, in `/capabilities`. */
import { z } from "zod";
import { type Capability, capabilityNames } from "../../core/capabilities.ts";

const Available = z.boolean();

export const Modules = z
  .strictObject(
    Object.fromEntries(capabilityNames.map((name) => [name, Available])) as Record<Capability, typeof Available>,
  )
  .meta({ description: "Whether each module is installed and enabled." });

/** Returns for each module whether it is available. */
export const toModules = (available: ReadonlySet<Capability>): z.infer<typeof Modules> =>
  Modules.parse(Object.fromEntries(capabilityNames.map((name) => [name, available.has(name)])));
