/** What a command needs besides storage, clock and scheduler, for tests of commands that need none of it. */
export const unexamined = {
  linkUrl: "",
  examine: async () => [],
  moving: {
    intents: { apply: async () => undefined, keep: () => async () => undefined },
    moved: [],
    mailer: {
      isConfigured: false,
      from: "",
      send: () => undefined,
      deliver: async () => false,
      stats: () => ({ waiting: 0, sent: 0, failed: 0, dropped: 0 }),
      close: async () => undefined,
    },
    publicUrl: "",
    stopping: new AbortController().signal,
  },
};
