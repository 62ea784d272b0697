/** What a command needs besides storage, clock and scheduler, for tests of commands that need none of it. */
export const unexamined = {
  linkUrl: "",
  publicUrl: "",
  backupPlace: undefined,
  examine: async () => [],
  intents: { apply: async () => undefined },
  mailer: { isConfigured: false, deliver: async () => false },
};
