export const signUpBody = {
  email: "olga@example.com",
  password: "correct horse battery",
  name: "Olga Owner",
  organization: { name: "Crash School", kind: "ato" },
};

export const claimBody = { password: "correct horse battery", name: "Ines Instructor" };

export const invited = "ines@example.com";
