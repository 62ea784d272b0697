// What the page at /auth/link does. The token stands in the fragment, which the browser sends to nobody by itself.

const element = (id) => document.getElementById(id);
const [heading, lead, form, problem, submit] = ["heading", "lead", "form", "problem", "submit"].map(element);
const [name, password, show] = ["name", "password", "show"].map(element);

const actions = {
  reset: {
    heading: "Choose a new password",
    lead: "All devices that are signed in to your account will be signed out.",
    submit: "Set the password",
    path: "/auth/password/reset",
    done: ["Your password is set", "You can sign in with it now. You may close this page."],
  },
  verify: {
    heading: "Confirm your e-mail address",
    lead: "Choose the password that you will sign in with from now on. Whoever else may have used this address for an account is signed out.",
    submit: "Confirm the address",
    path: "/auth/email/verify",
    done: [
      "Your e-mail address is confirmed",
      "You can sign in with it and your new password. You may close this page.",
    ],
  },
  invite: {
    heading: "Accept your invitation",
    lead: "Say how you are called, and choose a password to sign in with.",
    submit: "Join",
    path: "/auth/org-invites/claim",
    shown: "/auth/org-invites/",
    done: ["Welcome", "You can sign in with your e-mail address and your password. You may close this page."],
  },
};
actions.student = { ...actions.invite, path: "/auth/student-invites/claim", shown: "/auth/student-invites/" };

const unreachable = { error: { message: "The server can't be reached. Check your connection and try again." } };

/** @returns the answer's body, and whether it is a success */
async function ask(method, path, body) {
  try {
    const headers = body ? { "content-type": "application/json" } : {};
    const response = await fetch(path, {
      method,
      headers,
      credentials: "omit",
      ...(body && { body: JSON.stringify(body) }),
    });
    return { ok: response.ok, body: await response.json() };
  } catch {
    return { ok: false, body: unreachable };
  }
}

/** What the answer says went wrong: the fields at fault, or else the sentence about the whole. */
const reasonOf = ({ error, issues }) =>
  issues?.map(({ path, message }) => `${path.endsWith("name") ? "Name" : "Password"}: ${message}`).join(" ") ||
  error?.message ||
  "Something went wrong. Try again in a moment.";

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

let action;
let token;

async function begin() {
  const [, kind, given] = /^#(reset|verify|invite|student)=([\w.~-]+)$/.exec(location.hash) ?? [];
  action = actions[kind];
  token = given;
  form.hidden = true;
  problem.textContent = "";
  if (!action) {
    return finish(
      "This link is incomplete",
      "Open the link from your mail once more, or copy the whole of it into the address bar.",
    );
  }
  if (action.shown) {
    const { ok, body } = await ask("GET", action.shown + token);
    if (token !== given) return;
    if (!ok) return finish("This invitation can't be used", reasonOf(body));
    const place = body.data.organization?.name;
    // A student's name is in the school's records already.
    name.value ||= body.data.person?.name ?? "";
    say(place ? `Join ${place}` : action.heading, `${body.data.email ? `For ${body.data.email}. ` : ""}${action.lead}`);
  } else say(action.heading, action.lead);
  submit.textContent = action.submit;
  element("name-field").hidden = !action.shown;
  form.hidden = false;
}

/** What can be seen without asking; the server decides. @returns the field at fault, and why */
function atFault() {
  if (action.shown && name.value.trim() === "") return [name, "Say how you are called."];
  if ([...password.value].length < 12) return [password, "The password needs at least 12 characters."];
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
  for (const field of [name, password]) field.removeAttribute("aria-invalid");
  problem.textContent = "";
  const fault = atFault();
  if (fault) return refuse(...fault);

  submit.setAttribute("aria-disabled", "true");
  const { path, done, shown } = action;
  const sent = { token, password: password.value, ...(shown && { name: name.value.trim() }) };
  const { ok, body } = await ask("POST", path, sent);
  submit.removeAttribute("aria-disabled");
  if (!ok) return refuse(body.issues ? password : undefined, reasonOf(body));

  // The link is used up: it need not stay in the address bar and the history.
  history.replaceState(null, "", location.pathname);
  password.value = "";
  // A new account comes signed in, and this page has nowhere to be signed in to.
  const refreshToken = body.data?.tokens?.refresh_token;
  if (refreshToken) await ask("POST", "/auth/logout", { refresh_token: refreshToken });
  finish(...done);
});

show.addEventListener("change", () => {
  password.type = show.checked ? "text" : "password";
});

addEventListener("hashchange", begin);
void begin();
