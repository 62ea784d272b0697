import { z } from "zod";
import { idOf, instantOut } from "../../http/fields.ts";
import { heldRoles, organization } from "../organizations/organizations.shapes.ts";
import { user } from "./accounts.shapes.ts";
import { session } from "./sessions/sessions.shapes.ts";

/** What a front end asks first of all. */
export const Me = z
  .strictObject({
    user: user.schema.pick({ id: true, email: true, email_verified: true, name: true }).strict(),
    session: z.strictObject({
      id: idOf<"session">(),
      amr: session.fields.amr.schema,
      auth_time: instantOut.describe("When the caller last proved who they are."),
      step_up_until: instantOut
        .nullable()
        .describe("Until when this session may do what demands a fresh second factor; `null` when it may not."),
    }),
    organizations: z
      .array(
        z.strictObject({ id: organization.fields.id.schema, name: organization.fields.name.schema, roles: heldRoles }),
      )
      .describe("Those the caller belongs to, the one joined first first."),
    has_second_factor: z
      .boolean()
      .meta({ description: "Whether the next sign-in asks for a code as well.", examples: [false] }),
    providers: z.array(z.string()).meta({
      description: "The providers that accounts are linked at, by the names in `/capabilities`.",
      examples: [["google"]],
    }),
  })
  .meta({ id: "Me" });

export type Me = z.infer<typeof Me>;
