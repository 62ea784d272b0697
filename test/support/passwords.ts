import {
  createPasswords,
  type Passwords,
  type PasswordsOptions,
} from "../../src/modules/accounts/passwords/passwords.ts";

/** The passwords of one client. */
export const newPasswords = (options?: PasswordsOptions): Passwords =>
  createPasswords(options).for({ address: "192.0.2.1", userAgent: "", language: "en" });
