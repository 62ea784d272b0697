/** How long the law wants accounts kept: a figure of tax law, which changes. */
export const accountKeeping = {
  title: "charges, invoices and payments",
  /** After the end of the calendar year. */
  years: 10,
  article: "§ 147 AO, § 257 HGB",
} as const;
