/** Languages in which documents and mails are written to customers. */
export const languages = ["en", "de"] as const;
export type Language = (typeof languages)[number];
