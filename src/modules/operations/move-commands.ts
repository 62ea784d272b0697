/** The commands of the command line for schools that move to another installation. */
import { z } from "zod";
import { Problem } from "../../core/errors.ts";
import { messageOf } from "../../core/system-error.ts";
import { email, idOf, text } from "../../http/fields.ts";
import { adoptSchool } from "../moving/adopt-school.ts";
import { exportSchool } from "../moving/export-school.ts";
import { passphrase } from "../moving/moving.schemas.ts";
import { rebuildControl } from "../moving/rebuild-control.ts";
import { define, type OperatorDeps } from "./command.ts";

const depsOf = ({ storage, intents, moved, mailer, publicUrl, linkUrl, stopping }: OperatorDeps) => ({
  ...{ intents, moved, mailer, publicUrl, linkUrl, stopping },
  moves: storage.moves,
  keys: storage.keys,
  inspection: storage.inspection,
  tenants: storage.tenants,
});

/** `windsock org export ID FILE` */
export const orgExport = define({
  name: "org-export",
  args: z.strictObject({ org: idOf<"organization">(), to: z.string(), passphrase }),
  result: z.strictObject({ path: z.string(), bytes: z.int(), sha256: z.string(), audit_rows: z.int() }),
  async run(context, deps, { org, to, passphrase }) {
    const made = await exportSchool(context, depsOf(deps), { orgId: org, to, passphrase }).catch(asProblem);
    const { path, bytes, sha256, auditRows } = made;
    return { path, bytes, sha256, audit_rows: auditRows };
  },
});

const Adopted = z.strictObject({
  organization_id: z.string(),
  name: z.string(),
  members: z.int(),
  links: z.array(z.strictObject({ email: z.string(), purpose: z.enum(["password", "invite"]), link: z.string() })),
  remarks: z.array(z.string()),
});

const asked = { owner: email.optional(), members: z.boolean(), by: text(200) };

/** `windsock adopt FILE` */
export const adopt = define({
  name: "adopt",
  // An export may have been made with another program that knows its format.
  args: z.strictObject({
    ...asked,
    from: z.string(),
    key: z.string().optional(),
    passphrase: z.string().optional(),
    identity: z.string().optional(),
  }),
  result: Adopted,
  run: (context, deps, input) => adoptSchool(context, depsOf(deps), input).catch(asProblem),
});

const Left = z.array(z.strictObject({ organization_id: z.string(), fault: z.string() }));

/** `windsock control rebuild` */
export const controlRebuild = define({
  name: "control-rebuild",
  args: z.strictObject(asked),
  result: z.strictObject({
    adopted: z.array(Adopted),
    left: Left,
    lost: z.array(
      z.strictObject({
        organization_id: z.string(),
        name: z.string(),
        members: z.array(z.strictObject({ name: z.string(), email: z.string().nullable() })),
      }),
    ),
    unread: Left,
  }),
  run: (context, deps, input) => rebuildControl(context, depsOf(deps), input),
});

/** The operator sees what is wrong, such as a full disk at the place of the file. */
function asProblem(error: unknown): never {
  if (error instanceof Problem) throw error;
  throw new Problem("CONFLICT", messageOf(error), { cause: error });
}
