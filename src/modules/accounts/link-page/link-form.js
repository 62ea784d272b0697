// What the page at /auth/link does. The token stands in the fragment, which the browser sends to nobody by itself.

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

/** How to get another link, where this one is used, unknown or over. */
const another = {
  reset: "Ask for another one where you sign in (“forgot password”).",
  verify:
    "If your address is confirmed already, nothing is left to do: sign in. Otherwise sign in and have another link sent.",
  invite: "If you have joined already, sign in. Otherwise ask whoever invited you for another invitation.",
};

let token;
/** What is asked for at the moment: its fields, and what is done with them. */
let step;

/** @returns the answer's status, 0 where there was none, and its body */
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
    const message = "The server can't be reached. Check your connection and try again.";
    return { ok: false, status: 0, body: { error: { message } } };
  }
}

/** What the answer says went wrong: the fields at fault, or else the sentence about the whole. */
const reasonOf = ({ error, issues }) =>
  issues?.map(({ path, message }) => `${labels[path.split(".").at(-1)] ?? "Link"}: ${message}`).join(" ") ||
  error?.message ||
  "Something went wrong. Try again in a moment.";

/** Whether an answer says that the link leads nowhere, now and later. */
const isDead = ({ status }) => [404, 409, 410].includes(status);

function say(title, text) {
  heading.textContent = title;
  lead.textContent = text;
  document.title = `${title} – Windsock`;
}

/** Ends with a sentence and nothing to fill in; a screen reader hears it, since the heading gets the focus. */
function finish(title, text) {
  form.hidden = true;
  say(title, text);
  heading.focus();
}

const finishDead = (kind, { body }) => finish("This link can't be used", `${reasonOf(body)} ${another[kind]}`);

/** The link is used up: it need not stay in the address bar and the history. */
async function finishDone(title, text) {
  history.replaceState(null, "", location.pathname);
  password.value = code.value = "";
  finish(title, text);
  // A front end may be at this very origin. If none is, there is nothing to lead to.
  const home = await fetch("/", { credentials: "omit" }).catch(() => undefined);
  if (!home?.ok || !home.headers.get("content-type")?.startsWith("text/html")) return;
  element("home").href = "/";
  element("home").textContent = `Go to ${location.host}`;
  element("onward").hidden = false;
}

/** Asks for something: the fields named, a password of one kind or the other, and what is to be said before the button. */
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

/** Who is signed in here, by the cookie of a front end at this origin; nobody, where there is none. */
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
      if (answer.ok) return finishDone("Your password is set", "You can sign in with it now, where you usually do.");
      return isDead(answer) ? finishDead("reset", answer) : refuse(password, reasonOf(answer.body));
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
      if (isDead(answer)) return finishDead("verify", answer);
      // The link is of another account than the one signed in to.
      if (answer.body.issues)
        return askVerifyByPassword("The link is for another account than the one you are signed in to. ");
      return refuse(undefined, reasonOf(answer.body));
    },
  });
}

const finishVerified = () =>
  finishDone("Your e-mail address is confirmed", "You can sign in with it and your password, where you usually do.");

function askVerifyByPassword(before = "") {
  askFor({
    title: "Confirm your e-mail address",
    text: `${before}Type in the password of your account, and nothing else of it changes.`,
    shown: ["password"],
    kind: ownPassword,
    warning:
      "With any other password you take the account over, in case somebody else made it with your address: that becomes its new password, everybody who is signed in to it is signed out, and its second factor and its accounts at providers are removed.",
    button: "Confirm the address",
    async send() {
      const answer = await ask("POST", "/auth/email/verify", { body: { token, password: password.value } });
      if (answer.ok) return finishVerified();
      return isDead(answer) ? finishDead("verify", answer) : refuse(password, reasonOf(answer.body));
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
  if (isDead(found) || found.status === 400) return finishDead("invite", found);
  if (!found.ok) return finish("Something is in the way", `${reasonOf(found.body)} Then open the link once more.`);
  const invited = found.body.data;
  const title = `Join ${invited.organization.name}`;
  email.value = invited.email;
  // A student's name is in the school's records already.
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
        return isDead(answer) ? finishDead("invite", answer) : refuse(undefined, reasonOf(answer.body));
      },
    });
  }

  askFor({
    title,
    text: "What is your name? And choose a password to sign in with.",
    shown: ["email", "name", "password"],
    button: "Join",
    async send() {
      const answer = await claim({ name: name.value.trim(), password: password.value });
      if (answer.ok) {
        await signOut(answer.body.data.tokens);
        return finishJoined();
      }
      if (!isDead(answer)) return refuse(answer.body.issues ? password : undefined, reasonOf(answer.body));
      // The invite may be as good as before, and its address have an account.
      const still = await ask("GET", shown + token);
      return still.ok ? askSignIn() : finishDead("invite", answer);
    },
  });

  function askSignIn() {
    password.value = "";
    askFor({
      title,
      text: "Your e-mail address has an account already. Sign in to it to join. If you sign in through a provider, do so first, and then open this link again in the same browser.",
      shown: ["email", "password"],
      kind: ownPassword,
      button: "Sign in and join",
      async send() {
        const answer = await ask("POST", "/auth/login", { body: { email: email.value, password: password.value } });
        if (!answer.ok) return refuse(password, reasonOf(answer.body));
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
        return answer.ok ? join(answer.body) : refuse(code, reasonOf(answer.body));
      },
    });
    step.goBack = askSignIn;
    code.focus();
  }

  async function join(tokens) {
    const answer = await claim({}, tokens.access_token);
    await signOut(tokens);
    return answer.ok ? finishJoined() : finishDead("invite", answer);
  }
}

/** This page has nowhere to be signed in to. */
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
  finish(
    "This link is incomplete",
    "Open the link from your mail once more, or copy the whole of it into the address bar.",
  );
}

/** What can be seen without asking; the server decides. @returns the field at fault, and why */
function atFault({ shown, kind }) {
  if (shown.includes("name") && name.value.trim() === "") return [name, "What is your name?"];
  if (shown.includes("password")) {
    if (password.value === "") return [password, "Type in a password."];
    if (kind === newPassword && [...password.value].length < 12)
      return [password, "The password needs at least 12 characters."];
  }
  if (shown.includes("code") && code.value.trim() === "") return [code, "Type in the code."];
  return undefined;
}

function refuse(field, reason) {
  field?.setAttribute("aria-invalid", "true");
  problem.textContent = reason;
  field?.focus();
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (submit.getAttribute("aria-disabled") === "true") return;
  for (const field of Object.values(fields)) field.removeAttribute("aria-invalid");
  problem.textContent = "";
  const fault = atFault(step);
  if (fault) return refuse(...fault);
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
