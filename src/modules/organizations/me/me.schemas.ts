import { z } from "zod";
import { permissions, platformPermissions } from "../../../core/permissions.ts";
import { idOf, instantOut } from "../../../http/fields.ts";
import { user } from "../../accounts/accounts.shapes.ts";
import { session } from "../../accounts/sessions/sessions.shapes.ts";
import { personName } from "../organizations.schemas.ts";
import { heldRoles, organization } from "../organizations.shapes.ts";

/** The first request of a front end. */
export const Me = z
  .strictObject({
    user: user.schema.pick({ id: true, email: true, email_verified: true, name: true, language: true }).strict(),
    session: z.strictObject({
      id: idOf<"session">(),
      amr: session.fields.amr.schema,
      auth_time: instantOut.describe("When the caller last authenticated."),
      step_up_until: instantOut
        .nullable()
        .describe("Until when this session may do what requires a step-up; `null` if it may not."),
    }),
    organizations: z
      .array(
        z.strictObject({
          id: organization.fields.id.schema,
          name: organization.fields.name.schema,
          time_zone: organization.fields.time_zone.schema,
          currency: organization.fields.currency.schema,
          roles: heldRoles,
          permissions: z.array(z.enum(permissions)).meta({
            description: "What the roles permit. A front end offers nothing else.",
            examples: [["flights:read", "flights:approve"]],
          }),
          person_id: idOf<"person">().nullable().meta({
            description:
              "The person to whom the account is linked there. `null` without one, and while the organization is suspended or its file can't be read.",
          }),
          suspended_at: instantOut
            .nullable()
            .describe("Since when the operator has suspended the organization, so that nothing of it is served."),
          removal_at: instantOut
            .nullable()
            .describe("When a suspended organization will be removed with its records, if it will."),
        }),
      )
      .describe("The organizations of the caller, in the order of joining."),
    platform_permissions: z.array(z.enum(platformPermissions)).meta({
      description: "What the account may do in the whole installation.",
      examples: [["platform_admin.directory:moderate"]],
    }),
    has_second_factor: z
      .boolean()
      .meta({ description: "Whether the next sign-in requires a code.", examples: [false] }),
    providers: z.array(z.string()).meta({
      description: "The linked providers, by their names in `/capabilities`.",
      examples: [["google"]],
    }),
  })
  .meta({ id: "Me" });

export type Me = z.infer<typeof Me>;

export const MeChange = z
  .strictObject({ name: personName.optional(), language: user.fields.language.schema.optional() })
  .meta({ id: "MeChange", description: "Changes to your account." });
export type MeChange = z.infer<typeof MeChange>;
