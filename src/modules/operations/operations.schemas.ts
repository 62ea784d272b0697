/** The input and output of the operational routes. */
import { z } from "zod";
import { withheldFeatures } from "../../core/secure-origin.ts";
import { text } from "../../http/fields.ts";
import { paging } from "../../http/query.ts";
import { Modules } from "./capabilities.ts";

export const Capabilities = z
  .strictObject({
    version: z.string().meta({ description: "The version of Windsock.", examples: ["0.1.0"] }),
    modules: Modules,
    oauth_providers: z
      .array(z.string())
      .meta({ description: "The providers for `POST /auth/oauth/start`.", examples: [["google"]] }),
    mail: z.boolean().meta({
      description: "Whether mail is sent: to verify an address, to reset a password, and for invites.",
      examples: [true],
    }),
    has_organizations: z.boolean().meta({
      description: "Whether an organization has signed up. Without one, a front end begins with its sign-up.",
      examples: [true],
    }),
    sign_up: z.boolean().meta({
      description:
        "Whether an account or an organization can sign up without an invite (`WINDSOCK_SIGN_UP`). If not, `POST /auth/signup` and `POST /auth/signup-org` answer 403 `sign_up_closed`.",
      examples: [true],
    }),
    origin: z
      .strictObject({
        url: z.string().meta({
          description:
            "The public address (`WINDSOCK_PUBLIC_URL`). Only its pages get the refresh cookie, also if the server has other names.",
          examples: ["https://ops.example.com"],
        }),
        withheld: z.array(z.enum(withheldFeatures)).meta({
          description:
            "What browsers withhold from its pages, since it is plain HTTP and not of the browser's own computer. Empty with HTTPS.",
          examples: [["refresh_cookie", "web_locks", "clipboard", "random_uuid"]],
        }),
      })
      .describe("Where front ends are served from, and what will not work there."),
  })
  .meta({ id: "Capabilities" });

export const AuditLogQuery = z.strictObject({
  ...paging,
  log: z
    .enum(["records", "organization"])
    .optional()
    .meta({
      description:
        "`records` (the default): changes of the school's records; `organization`: changes of its settings, members and invites.",
      examples: ["records"],
    }),
  action: text(100)
    .optional()
    .meta({ examples: ["flight.approved"] }),
  subject_kind: text(100)
    .optional()
    .meta({ examples: ["aircraft"] }),
  subject_id: text(100)
    .optional()
    .meta({ examples: ["01890a5d-ac96-774b-bcce-b302099a8057"] }),
});
