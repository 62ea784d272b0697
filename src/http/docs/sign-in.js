// The dialog in which a user signs in, or enters an API key.
import { byId, element } from "./elements.js";
import * as session from "./session.js";

const dialog = byId("account-dialog");
const [passwordForm, codeForm, keyForm] = ["password-form", "code-form", "key-form"].map(byId);
const problem = byId("account-problem");
let challenge;

/** Sends a form, once at a time, and shows why it was refused. */
function onSubmit(form, send) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (form.ariaBusy === "true") return;
    problem.textContent = "";
    const empty = [...form.elements].find((field) => field.required && field.value.trim() === "");
    if (empty) {
      problem.textContent = `${empty.labels[0].firstChild.textContent.trim()} is missing.`;
      return empty.focus();
    }
    form.ariaBusy = "true";
    try {
      await send(form.elements);
    } catch (error) {
      problem.textContent = error.status ? error.message : "The server is unreachable. Try again.";
      form.querySelector("input").focus();
    }
    form.ariaBusy = "false";
  });
}

onSubmit(passwordForm, async ({ email, password, show }) => {
  challenge = await session.logIn(email.value.trim(), password.value);
  password.value = "";
  show.checked = false;
  password.type = "password";
  if (challenge === undefined) return dialog.close();
  showParts();
  codeForm.elements.code.focus();
});

onSubmit(codeForm, async ({ code }) => {
  await session.verifyCode(challenge, code.value.trim());
  backToPassword();
  dialog.close();
});

onSubmit(keyForm, async ({ key, org }) => {
  session.useKey({ key: key.value.trim(), org: org.value.trim() });
  key.value = "";
  dialog.close();
});

function backToPassword() {
  challenge = undefined;
  codeForm.reset();
  problem.textContent = "";
  showParts();
}

passwordForm.elements.show.addEventListener("change", ({ target }) => {
  passwordForm.elements.password.type = target.checked ? "text" : "password";
});
byId("code-back").addEventListener("click", backToPassword);
byId("key-forget").addEventListener("click", () => session.useKey(undefined));
byId("account-close").addEventListener("click", () => dialog.close());
byId("sign-out").addEventListener("click", () => session.logOut().catch(() => undefined));
byId("organization").addEventListener("change", ({ target }) => session.chooseOrganization(target.value));
byId("account-button").addEventListener("click", () => {
  showParts();
  dialog.showModal();
});
dialog.addEventListener("close", () => {
  passwordForm.elements.password.value = "";
  backToPassword();
});

/** Shows what the state of the session asks for. */
function showParts() {
  const account = session.account();
  passwordForm.hidden = account !== undefined || challenge !== undefined;
  codeForm.hidden = account !== undefined || challenge === undefined;
  byId("signed-in").hidden = account === undefined;
  byId("account-heading").textContent = account ? "Signed in" : "Sign in";
  byId("account-state").textContent = account ? `As ${account.user.email}.` : "";
  const organizations = account?.organizations ?? [];
  byId("organization-choice").hidden = organizations.length === 0;
  byId("organization").replaceChildren(
    ...organizations.map(({ id, name }) =>
      element("option", { value: id, selected: id === session.chosenOrganization() }, name),
    ),
  );
  const org = session.keyOrganization();
  byId("key-forget").hidden = org === undefined;
  byId("key-state").textContent = org === undefined ? "" : `The key of organization ${org} is in use.`;
  byId("key-part").open ||= org !== undefined;
  const parts = [account?.user.email, org && "API key"].filter(Boolean);
  byId("account-button").textContent = parts.join(" + ") || "Sign in";
}

session.onChange(showParts);
