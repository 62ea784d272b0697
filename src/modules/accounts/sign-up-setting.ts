/** `WINDSOCK_SIGN_UP`: who may make an account or an organization without an invite. `first`: until there is an organization. */
export const signUpSettings = ["open", "first", "closed"] as const;
export type SignUpSetting = (typeof signUpSettings)[number];
