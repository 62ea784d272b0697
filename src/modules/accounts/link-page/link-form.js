// The script of /auth/link. The token is in the fragment, which the browser does not send to any server.

const element = (id) => document.getElementById(id);
const [heading, lead, form, note, problem, submit] = ["heading", "lead", "form", "note", "problem", "submit"].map(
  element,
);
const [email, name, password, code, show, again] = ["email", "name", "password", "code", "show", "again"].map(element);
const fields = { email, name, password, code };
const labels = { name: "Name", password: "Password", code: "Code" };

const newPassword = {
  label: "New password",
  hint: "12 characters or more, of any kind. Four words that have nothing to do with each other are a good start.",
  autocomplete: "new-password",
};
const ownPassword = { label: "Your password", hint: "", autocomplete: "current-password" };

/** How to get another link if this one is used, unknown or expired. */
const another = {
  reset: "Request another one where you sign in (“forgot password”).",
  verify: "If your address is already confirmed, sign in. Otherwise sign in and request another link.",
  invite: "If you have already joined, sign in. Otherwise ask the person who invited you for another invitation.",
};

let token;
/** The current step: its fields, and the function that sends them. */
let step;

/** @returns the status of the response, or 0 without one, and its body */
async function ask(method, path, { body, access, cookie = false } = {}) {
  try {
    const response = await fetch(path, {
      method,
      headers: {
        ...(body && { "content-type": "application/json" }),
        ...(access && { authorization: `Bearer ${access}` }),
      },
      credentials: cookie ? "same-origin" : "omit",
      ...(body && { body: JSON.stringify(body) }),
    });
    return { ok: response.ok, status: response.status, body: await response.json() };
  } catch {
    const message = "The server is unreachable. Check your connection and try again.";
    return { ok: false, status: 0, body: { error: { message } } };
  }
}

/** Returns the error message of a response: those of its fields, or the general one. */
const reasonOf = ({ error, issues }) =>
  issues?.map(({ path, message }) => `${labels[path.split(".").at(-1)] ?? "Link"}: ${message}`).join(" ") ||
  error?.message ||
  "Something went wrong. Try again in a moment.";

/** Returns whether a response says that the link is permanently invalid. */
const isInvalid = ({ status }) => [404, 409, 410].includes(status);

function say(title, text) {
  heading.textContent = title;
  lead.textContent = text;
  document.title = `${title} – Windsock`;
}

/** Shows a message without a form. The heading gets the focus, so that a screen reader reads it. */
function finish(title, text) {
  form.hidden = true;
  say(title, text);
  heading.focus();
}

const finishInvalid = (kind, { body }) => finish("This link is not valid", `${reasonOf(body)} ${another[kind]}`);

/** Shows the success and removes the used link from the address bar and the history. */
async function finishDone(title, text) {
  history.replaceState(null, "", location.pathname);
  password.value = code.value = "";
  finish(title, text);
  // Link to the front end, if there is one at this origin.
  const home = await fetch("/", { credentials: "omit" }).catch(() => undefined);
  if (!home?.ok || !home.headers.get("content-type")?.startsWith("text/html")) return;
  element("home").href = "/";
  element("home").textContent = `Go to ${location.host}`;
  element("onward").hidden = false;
}

/** Shows a form with the named fields, the kind of password and a warning before the button. */
function askFor({ title, text, shown = [], kind = newPassword, warning = "", button, back = false, send }) {
  step = { shown, kind, send };
  say(title, text);
  for (const [id, field] of Object.entries(fields)) {
    element(`${id}-field`).hidden = !shown.includes(id);
    field.removeAttribute("aria-invalid");
  }
  document.querySelector("label[for=password]").textContent = kind.label;
  element("hint").textContent = kind.hint;
  password.autocomplete = kind.autocomplete;
  note.textContent = warning;
  problem.textContent = "";
  submit.textContent = button;
  again.hidden = !back;
  form.hidden = false;
}

/** Returns the session of the refresh cookie at this origin, if there is one. */
async function sessionHere() {
  const refreshed = await ask("POST", "/auth/refresh", { cookie: true });
  if (!refreshed.ok) return undefined;
  const access = refreshed.body.access_token;
  const me = await ask("GET", "/auth/me", { access });
  return me.ok ? { access, email: me.body.data.user.email } : undefined;
}

function askReset() {
  askFor({
    title: "Choose a new password",
    text: "All devices that are signed in to your account will be signed out.",
    shown: ["password"],
    button: "Set the password",
    async send() {
      const answer = await ask("POST", "/auth/password/reset", { body: { token, password: password.value } });
      if (answer.ok) return finishDone("Your password is set", "You can now sign in with it, where you usually do.");
      return isInvalid(answer) ? finishInvalid("reset", answer) : showProblem(password, reasonOf(answer.body));
    },
  });
}

async function askVerify(given) {
  const session = await sessionHere();
  if (token !== given) return;
  if (!session) return askVerifyByPassword();
  askFor({
    title: "Confirm your e-mail address",
    text: `You are signed in as ${session.email}. Nothing else of your account changes.`,
    button: "Confirm the address",
    async send() {
      const answer = await ask("POST", "/auth/email/verify", { body: { token }, access: session.access });
      if (answer.ok) return finishVerified();
      if (isInvalid(answer)) return finishInvalid("verify", answer);
      // The link is for another account than the one that is signed in.
      if (answer.body.issues)
        return askVerifyByPassword("The link is for another account than the one that you are signed in to. ");
      return showProblem(undefined, reasonOf(answer.body));
    },
  });
}

const finishVerified = () =>
  finishDone("Your e-mail address is confirmed", "You can sign in with it and your password, where you usually do.");

function askVerifyByPassword(before = "") {
  askFor({
    title: "Confirm your e-mail address",
    text: `${before}Enter the password of your account. Nothing else of it changes.`,
    shown: ["password"],
    kind: ownPassword,
    warning:
      "With another password, you take the account over, in case another person created it with your address: this becomes its new password, all its sessions end, and its second factor and linked providers are removed.",
    button: "Confirm the address",
    async send() {
      const answer = await ask("POST", "/auth/email/verify", { body: { token, password: password.value } });
      if (answer.ok) return finishVerified();
      return isInvalid(answer) ? finishInvalid("verify", answer) : showProblem(password, reasonOf(answer.body));
    },
  });
}

const invites = {
  invite: { path: "/auth/org-invites/claim", shown: "/auth/org-invites/" },
  student: { path: "/auth/student-invites/claim", shown: "/auth/student-invites/" },
};

async function askInvite(kind, given) {
  const { path, shown } = invites[kind];
  const found = await ask("GET", shown + token);
  if (token !== given) return;
  if (isInvalid(found) || found.status === 400) return finishInvalid("invite", found);
  if (!found.ok) return finish("The link cannot be opened now", `${reasonOf(found.body)} Then open the link again.`);
  const invited = found.body.data;
  const title = `Join ${invited.organization.name}`;
  email.value = invited.email;
  // The person of a student already has a name.
  name.value ||= invited.person?.name ?? "";
  const claim = (more, access) => ask("POST", path, { body: { token, ...more }, access });
  const finishJoined = () =>
    finishDone("Welcome", "You can sign in with your e-mail address and your password, where you usually do.");

  const session = await sessionHere();
  if (token !== given) return;
  if (session?.email === invited.email) {
    return askFor({
      title,
      text: `You are signed in as ${session.email}.`,
      button: "Join",
      async send() {
        const answer = await claim({}, session.access);
        if (answer.ok) return finishJoined();
        return isInvalid(answer) ? finishInvalid("invite", answer) : showProblem(undefined, reasonOf(answer.body));
      },
    });
  }

  askFor({
    title,
    text: "Enter your name and choose a password to sign in with.",
    shown: ["email", "name", "password"],
    button: "Join",
    async send() {
      const answer = await claim({ name: name.value.trim(), password: password.value });
      if (answer.ok) {
        await signOut(answer.body.data.tokens);
        return finishJoined();
      }
      if (!isInvalid(answer)) return showProblem(answer.body.issues ? password : undefined, reasonOf(answer.body));
      // The invite may still be valid, and its address have an account.
      const still = await ask("GET", shown + token);
      return still.ok ? askSignIn() : finishInvalid("invite", answer);
    },
  });

  function askSignIn() {
    password.value = "";
    askFor({
      title,
      text: "Your e-mail address already has an account. Sign in to it to join. If you sign in through a provider, do so first, then open this link again in the same browser.",
      shown: ["email", "password"],
      kind: ownPassword,
      button: "Sign in and join",
      async send() {
        const answer = await ask("POST", "/auth/login", { body: { email: email.value, password: password.value } });
        if (!answer.ok) return showProblem(password, reasonOf(answer.body));
        return answer.body.mfa_required ? askCode(answer.body.mfa_token) : join(answer.body);
      },
    });
    heading.focus();
  }

  function askCode(challenge) {
    code.value = "";
    askFor({
      title,
      text: "Your account has a second factor.",
      shown: ["code"],
      button: "Join",
      back: true,
      async send() {
        const answer = await ask("POST", "/auth/mfa/verify", { body: { mfa_token: challenge, code: code.value } });
        return answer.ok ? join(answer.body) : showProblem(code, reasonOf(answer.body));
      },
    });
    step.goBack = askSignIn;
    code.focus();
  }

  async function join(tokens) {
    const answer = await claim({}, tokens.access_token);
    await signOut(tokens);
    return answer.ok ? finishJoined() : finishInvalid("invite", answer);
  }
}

/** Ends the session that the page opened: it has no use for one. */
async function signOut(tokens) {
  if (tokens) await ask("POST", "/auth/logout", { body: { refresh_token: tokens.refresh_token } });
}

async function begin() {
  const [, kind, given] = /^#(reset|verify|invite|student)=([\w.~-]+)$/.exec(location.hash) ?? [];
  token = given;
  form.hidden = true;
  element("onward").hidden = true;
  for (const field of Object.values(fields)) field.value = "";
  if (kind === "reset") return askReset();
  if (kind === "verify") return askVerify(given);
  if (kind) return askInvite(kind, given);
  finish("This link is incomplete", "Open the link from your mail again, or copy the whole link into the address bar.");
}

/** Checks the fields in the browser; the server decides. @returns the invalid field and the message */
function invalidField({ shown, kind }) {
  if (shown.includes("name") && name.value.trim() === "") return [name, "Enter your name."];
  if (shown.includes("password")) {
    if (password.value === "") return [password, "Enter a password."];
    if (kind === newPassword && [...password.value].length < 12)
      return [password, "The password must have at least 12 characters."];
  }
  if (shown.includes("code") && code.value.trim() === "") return [code, "Enter the code."];
  return undefined;
}

function showProblem(field, reason) {
  field?.setAttribute("aria-invalid", "true");
  problem.textContent = reason;
  field?.focus();
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (submit.getAttribute("aria-disabled") === "true") return;
  for (const field of Object.values(fields)) field.removeAttribute("aria-invalid");
  problem.textContent = "";
  const invalid = invalidField(step);
  if (invalid) return showProblem(...invalid);
  submit.setAttribute("aria-disabled", "true");
  await step.send();
  submit.removeAttribute("aria-disabled");
});

again.addEventListener("click", () => step.goBack());

show.addEventListener("change", () => {
  password.type = show.checked ? "text" : "password";
});

addEventListener("hashchange", begin);
void begin();
