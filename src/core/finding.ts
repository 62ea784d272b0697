/** What `windsock doctor` says about one thing. */
export interface Finding {
  /** What was looked at, in a word or two. */
  subject: string;
  level: "fine" | "warning" | "error";
  message: string;
  /** What to do. Not needed when all is well. */
  remedy?: string | undefined;
}

export const fine = (subject: string, message: string): Finding => ({ subject, level: "fine", message });

export const warning = (subject: string, message: string, remedy: string): Finding => ({
  subject,
  level: "warning",
  message,
  remedy,
});

export const fault = (subject: string, message: string, remedy: string): Finding => ({
  subject,
  level: "error",
  message,
  remedy,
});
