import { grantPlatformPermission } from "../../src/modules/accounts/operator/grant-platform-permission.ts";
import type { Installation } from "./installation.ts";
import { type Account, newAccount } from "./market.ts";

/** What a command needs besides storage, clock and scheduler, for tests of commands that need none of it. */
export const unexamined = {
  linkUrl: "",
  publicUrl: "",
  backupPlace: undefined,
  encryptsBackups: false,
  examine: async () => [],
  intents: { apply: async () => undefined, keep: async () => async () => undefined },
  mailer: {
    isConfigured: false,
    from: "",
    send: () => undefined,
    deliver: async () => false,
    stats: () => ({ waiting: 0, sent: 0, failed: 0, dropped: 0 }),
    close: async () => undefined,
  },
  moved: [],
  stopping: new AbortController().signal,
};

/** Signs up the operator of an installation, who belongs to no school. */
export async function newOperator(installation: Installation): Promise<Account> {
  const account = await newAccount(installation, "Otto Operator");
  const { storage, clock } = installation;
  const context = { actor: { kind: "command_line" }, requestId: "", clock, control: storage.control } as const;
  const permission = "platform_admin.installation:read";
  await grantPlatformPermission(context, { email: account.email, permission, evenUnverified: true });
  return account;
}
