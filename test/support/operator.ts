/** What a command needs besides storage, clock and scheduler, for tests of commands that need neither. */
export const unexamined = { linkUrl: "", examine: async () => [] };
