/** What a command needs besides storage, clock and scheduler, for tests of commands that need none of it. */
export const unexamined = {
  linkUrl: "",
  publicUrl: "",
  backupPlace: undefined,
  examine: async () => [],
  intents: { apply: async () => undefined, keep: () => async () => undefined },
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
