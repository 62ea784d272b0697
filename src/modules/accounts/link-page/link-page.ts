/**
 * The page that mailed links open: one file without external resources. It reads the token from its address and asks for
 * the rest. If the browser has a refresh cookie, it acts as that account; a session that it opens itself ends with the
 * join. Another front end can replace the page (`WINDSOCK_LINK_URL`).
 */
import { createHash } from "node:crypto";
import script from "./link-form.js" with { type: "text" };
import style from "./link-style.css" with { type: "text" };

export const linkPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Windsock</title>
<style>${style}</style>
</head>
<body>
<main>
<p class="product">Windsock</p>
<h1 id="heading" tabindex="-1">One moment</h1>
<p id="lead"></p>
<noscript><p>This page needs JavaScript, so that your link stays secret.</p></noscript>
<form id="form" hidden novalidate>
<div class="field" id="email-field">
<label for="email">E-mail address</label>
<input id="email" name="email" type="email" autocomplete="username" readonly>
</div>
<div class="field" id="name-field">
<label for="name">Your name</label>
<input id="name" name="name" autocomplete="name" maxlength="120" required>
</div>
<div class="field" id="password-field">
<label for="password">New password</label>
<input id="password" name="password" type="password" autocomplete="new-password" aria-describedby="hint" required>
<p class="hint" id="hint"></p>
<label class="switch"><input id="show" type="checkbox"> Show the password</label>
</div>
<div class="field" id="code-field">
<label for="code">Code</label>
<input id="code" name="code" autocomplete="one-time-code" spellcheck="false" aria-describedby="code-hint" required>
<p class="hint" id="code-hint">The six digits that your authenticator app shows, or one of your recovery codes.</p>
</div>
<p class="note" id="note"></p>
<p class="problem" id="problem" role="alert"></p>
<button id="submit" type="submit">Continue</button>
<button id="again" class="quiet" type="button" hidden>Sign in again</button>
</form>
<p id="onward" hidden><a id="home"></a></p>
</main>
<script>${script}</script>
</body>
</html>
`;

const hashed = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** Allows the page's own script and style and requests to this server. Forbids everything else, and frames. */
export const linkPagePolicy = [
  "default-src 'none'",
  `script-src ${hashed(script)}`,
  `style-src ${hashed(style)}`,
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");
