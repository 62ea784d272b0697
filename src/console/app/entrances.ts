/** Screens that need no session. */

/** Somebody who is signed in is led on from these to the home. */
export const entrances: readonly string[] = ["/app/sign-in", "/app/sign-up", "/app/forgot-password"];

/** Where the links of mails, and of other devices, lead, with a session or without one. */
export const linkPages: readonly string[] = [
  "/app/reset-password",
  "/app/verify-email",
  "/app/invites",
  "/app/student-invites",
  "/app/hand-off",
];
