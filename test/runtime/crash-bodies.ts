export const signUpBody = {
  email: "olga@example.com",
  password: "correct horse battery",
  name: "Olga Owner",
  organization: { name: "Crash School", kind: "ato" },
};

export const claimBody = { password: "correct horse battery", name: "Ines Instructor" };

/** Of the task `claim`. */
export const claimPath = (task: string) => `/auth/${task === "student-claim" ? "student" : "org"}-invites/claim`;

export const invited = "ines@example.com";
