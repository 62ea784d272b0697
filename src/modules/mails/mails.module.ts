import type { Module } from "../../module.ts";
import { mailsPersonal } from "./mails.personal.ts";
import * as tables from "./mails.tables.ts";

/** The queue, which every module may fill. `notifications` writes the mails and sends them. */
export const mails = { tables: { tenant: tables }, personal: mailsPersonal } satisfies Module;
