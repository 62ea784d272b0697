/**
 * The page that mailed links open: one file without external resources. It reads the token from its address and asks for
 * the rest. If the browser has a refresh cookie, it acts as that account; a session that it opens itself ends with the
 * join. Another front end can replace the page (`WINDSOCK_LINK_URL`).
 */
import { createHash } from "node:crypto";
import type { Language } from "../../../core/languages.ts";
import form from "./link-form.js" with { type: "text" };
import style from "./link-style.css" with { type: "text" };
import texts from "./link-texts.js" with { type: "text" };

/** Runs in the page. */
export const linkScript = `${texts}\n${form}`;

const english = {
  moment: "One moment",
  script: "This page needs JavaScript, so that your link stays secret.",
  email: "E-mail address",
  name: "Your name",
  password: "New password",
  show: "Show the password",
  code: "Code",
  codeHint: "The six digits that your authenticator app shows, or one of your recovery codes.",
  go: "Continue",
  again: "Sign in again",
};
type Labels = typeof english;

const german: Labels = {
  moment: "Einen Moment",
  script: "Diese Seite braucht JavaScript, damit Ihr Link geheim bleibt.",
  email: "E-Mail-Adresse",
  name: "Ihr Name",
  password: "Neues Passwort",
  show: "Passwort anzeigen",
  code: "Code",
  codeHint: "Die sechs Ziffern aus Ihrer Authenticator-App, oder einer Ihrer Wiederherstellungscodes.",
  go: "Weiter",
  again: "Neu anmelden",
};

const pageIn = (language: Language, words: Labels) => `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Windsock</title>
<style>${style}</style>
</head>
<body>
<main>
<p class="product">Windsock</p>
<h1 id="heading" tabindex="-1">${words.moment}</h1>
<p id="lead"></p>
<noscript><p>${words.script}</p></noscript>
<form id="form" hidden novalidate>
<div class="field" id="email-field">
<label for="email">${words.email}</label>
<input id="email" name="email" type="email" autocomplete="username" readonly>
</div>
<div class="field" id="name-field">
<label for="name">${words.name}</label>
<input id="name" name="name" autocomplete="name" maxlength="120" required>
</div>
<div class="field" id="password-field">
<label for="password">${words.password}</label>
<input id="password" name="password" type="password" autocomplete="new-password" aria-describedby="hint" required>
<p class="hint" id="hint"></p>
<label class="switch"><input id="show" type="checkbox"> ${words.show}</label>
</div>
<div class="field" id="code-field">
<label for="code">${words.code}</label>
<input id="code" name="code" autocomplete="one-time-code" spellcheck="false" aria-describedby="code-hint" required>
<p class="hint" id="code-hint">${words.codeHint}</p>
</div>
<p class="note" id="note"></p>
<p class="problem" id="problem" role="alert"></p>
<button id="submit" type="submit">${words.go}</button>
<button id="again" class="quiet" type="button" hidden>${words.again}</button>
</form>
<p id="onward" hidden><a id="home"></a></p>
</main>
<script>${linkScript}</script>
</body>
</html>
`;

export const linkPages: Readonly<Record<Language, string>> = { en: pageIn("en", english), de: pageIn("de", german) };

const hashed = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** Allows the page's own script and style and requests to this server. Forbids everything else, and frames. */
export const linkPagePolicy = [
  "default-src 'none'",
  `script-src ${hashed(linkScript)}`,
  `style-src ${hashed(style)}`,
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");
