// The script of /auth/link. The token is in the fragment, which the browser does not send to any server.

const element = (id) => document.getElementById(id);
const [heading, lead, form, note, problem, submit] = ["heading", "lead", "form", "note", "problem", "submit"].map(
  element,
);
const [email, name, password, code, show, again] = ["email", "name", "password", "code", "show", "again"].map(element);
const fields = { email, name, password, code };

const newPassword = { ...words.newPassword, autocomplete: "new-password" };
const ownPassword = { ...words.ownPassword, autocomplete: "current-password" };

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
    return { ok: false, status: 0 };
  }
}

/** Returns what is wrong with a response: with its fields, or in general. */
function reasonOf({ status, body }) {
  if (status === 0) return words.unreachable;
  const nameOf = ({ path }) => words.fields[path.split(".").at(-1)] ?? words.fields.other;
  const ofFields = body.issues?.map((issue) => `${nameOf(issue)}: ${words.issueOf(issue)}`).join(" ");
  return ofFields || (body.error && words.reasonOf(body.error)) || words.wrong;
}

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

const finishInvalid = (kind, answer) => finish(words.invalid, `${reasonOf(answer)} ${words.another[kind]}`);

/** Shows the success and removes the used link from the address bar and the history. */
async function finishDone(title, text) {
  history.replaceState(null, "", location.pathname);
  password.value = code.value = "";
  finish(title, text);
  // Link to the front end, if there is one at this origin.
  const home = await fetch("/", { credentials: "omit" }).catch(() => undefined);
  if (!home?.ok || !home.headers.get("content-type")?.startsWith("text/html")) return;
  element("home").href = "/";
  element("home").textContent = words.goTo(location.host);
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
    title: words.reset.title,
    text: words.reset.text,
    shown: ["password"],
    button: words.reset.button,
    async send() {
      const answer = await ask("POST", "/auth/password/reset", { body: { token, password: password.value } });
      if (answer.ok) return finishDone(words.reset.done, words.whereUsual);
      return isInvalid(answer) ? finishInvalid("reset", answer) : showProblem(password, reasonOf(answer));
    },
  });
}

async function askVerify(given) {
  const session = await sessionHere();
  if (token !== given) return;
  if (!session) return askVerifyByPassword();
  askFor({
    title: words.verify.title,
    text: words.verify.signedIn(session.email),
    button: words.verify.button,
    async send() {
      const answer = await ask("POST", "/auth/email/verify", { body: { token }, access: session.access });
      if (answer.ok) return finishVerified();
      if (isInvalid(answer)) return finishInvalid("verify", answer);
      // The link is for another account than the one that is signed in.
      if (answer.body?.issues) return askVerifyByPassword(words.verify.otherAccount);
      return showProblem(undefined, reasonOf(answer));
    },
  });
}

const finishVerified = () => finishDone(words.verify.done, words.verify.after);

function askVerifyByPassword(before = "") {
  askFor({
    title: words.verify.title,
    text: before + words.verify.byPassword,
    shown: ["password"],
    kind: ownPassword,
    warning: words.verify.warning,
    button: words.verify.button,
    async send() {
      const answer = await ask("POST", "/auth/email/verify", { body: { token, password: password.value } });
      if (answer.ok) return finishVerified();
      return isInvalid(answer) ? finishInvalid("verify", answer) : showProblem(password, reasonOf(answer));
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
  if (!found.ok) return finish(words.join.notNow, `${reasonOf(found)} ${words.join.thenAgain}`);
  const invited = found.body.data;
  const title = words.join.title(invited.organization.name);
  email.value = invited.email;
  // The person of a student already has a name.
  name.value ||= invited.person?.name ?? "";
  const claim = (more, access) => ask("POST", path, { body: { token, ...more }, access });
  const finishJoined = () => finishDone(words.join.done, words.join.after);

  const session = await sessionHere();
  if (token !== given) return;
  if (session?.email === invited.email) {
    return askFor({
      title,
      text: words.join.signedIn(session.email),
      button: words.join.button,
      async send() {
        const answer = await claim({}, session.access);
        if (answer.ok) return finishJoined();
        return isInvalid(answer) ? finishInvalid("invite", answer) : showProblem(undefined, reasonOf(answer));
      },
    });
  }

  askFor({
    title,
    text: words.join.text,
    shown: ["email", "name", "password"],
    button: words.join.button,
    async send() {
      const answer = await claim({ name: name.value.trim(), password: password.value });
      if (answer.ok) {
        await signOut(answer.body.data.tokens);
        return finishJoined();
      }
      if (!isInvalid(answer)) return showProblem(answer.body?.issues ? password : undefined, reasonOf(answer));
      // The invite may still be valid, and its address have an account.
      const still = await ask("GET", shown + token);
      return still.ok ? askSignIn() : finishInvalid("invite", answer);
    },
  });

  function askSignIn() {
    password.value = "";
    askFor({
      title,
      text: words.join.known,
      shown: ["email", "password"],
      kind: ownPassword,
      button: words.join.signIn,
      async send() {
        const answer = await ask("POST", "/auth/login", { body: { email: email.value, password: password.value } });
        if (!answer.ok) return showProblem(password, reasonOf(answer));
        return answer.body.mfa_required ? askCode(answer.body.mfa_token) : join(answer.body);
      },
    });
    heading.focus();
  }

  function askCode(challenge) {
    code.value = "";
    askFor({
      title,
      text: words.join.secondFactor,
      shown: ["code"],
      button: words.join.button,
      back: true,
      async send() {
        const answer = await ask("POST", "/auth/mfa/verify", { body: { mfa_token: challenge, code: code.value } });
        return answer.ok ? join(answer.body) : showProblem(code, reasonOf(answer));
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
  finish(words.incomplete.title, words.incomplete.text);
}

/** Checks the fields in the browser; the server decides. @returns the invalid field and the message */
function invalidField({ shown, kind }) {
  if (shown.includes("name") && name.value.trim() === "") return [name, words.lacking.name];
  if (shown.includes("password")) {
    if (password.value === "") return [password, words.lacking.password];
    if (kind === newPassword && [...password.value].length < 12) return [password, words.lacking.short];
  }
  if (shown.includes("code") && code.value.trim() === "") return [code, words.lacking.code];
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
