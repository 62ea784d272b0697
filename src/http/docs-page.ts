/**
 * The reference page. The server writes the list of operations into it, so it is there before a script runs; the scripts in
 * `docs/` add the search, the details of an operation from the document, and requests. Nothing comes from another host: a
 * school may be offline, and a foreign script could read the credentials that a user enters.
 */
import type { DocsAssets } from "./docs-assets.ts";
import type { ListedOperation, Topic } from "./docs-index.ts";
import { DESCRIPTION } from "./openapi.ts";

/** Allows the page's files and requests to this server. Markup made from text is forbidden (`require-trusted-types-for`). */
export const docsPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

export function docsPage(topics: readonly Topic[], { version, files }: DocsAssets): string {
  const at = (file: string) => `/docs/assets/${version}/${file}`;
  const scripts = [...files.keys()].filter((name) => name.endsWith(".js"));
  const count = topics.reduce((sum, { operations }) => sum + operations.length, 0);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Windsock API reference</title>
<link rel="icon" href="${at("icon.svg")}" type="image/svg+xml">
<link rel="stylesheet" href="${at("style.css")}">
${scripts.map((name) => `<link rel="modulepreload" href="${at(name)}">`).join("\n")}
<script type="module" src="${at("page.js")}"></script>
</head>
<body>
<header class="bar">
<h1><img src="${at("icon.svg")}" alt="" width="24" height="24"> Windsock <span>API reference</span></h1>
<search><input id="search-field" type="search" placeholder="Search ${count} operations" aria-label="Search operations" autocomplete="off" spellcheck="false" aria-keyshortcuts="/" aria-describedby="search-result"></search>
<button id="account-button" type="button" aria-haspopup="dialog">Sign in</button>
</header>
<nav class="topics" aria-label="Topics">
<ul>
${topics.map(({ name }) => `<li><a href="#${anchorOf(name)}">${escaped(name)}</a></li>`).join("\n")}
</ul>
</nav>
<main>
<p id="search-result" class="result" role="status"></p>
<noscript><p class="result">Details, search and requests need JavaScript. <a href="/openapi.json">/openapi.json</a> has everything.</p></noscript>
<details class="intro"><summary>Credentials, errors and repeats</summary>
${DESCRIPTION.split("\n\n")
  .map((paragraph) => `<p>${withCode(paragraph)}</p>`)
  .join("\n")}
</details>
${topics.map(topicSection).join("\n")}
<footer>The OpenAPI 3.1 document is at <a href="/openapi.json">/openapi.json</a>.</footer>
</main>
${signInDialog}
</body>
</html>
`;
}

const topicSection = ({ name, description, operations }: Topic) => `<section id="${anchorOf(name)}">
<h2><a href="#${anchorOf(name)}">${escaped(name)}</a></h2>
<p>${withCode(description)}</p>
<div class="operations">
${operations.map(operationRow).join("\n")}
</div>
</section>`;

/** No other id in the page is one of an operation: those have no hyphen. */
const anchorOf = (topic: string) => `topic-${topic.toLowerCase().replace(/\W+/g, "-")}`;

const operationRow = ({ id, method, path, summary }: ListedOperation) =>
  `<details class="operation" id="${id}"><summary>
<span class="method ${method.toLowerCase()}">${method}</span>
<code>${pathHtml(path)}</code>
<span class="summary">${escaped(summary)}</span>
</summary></details>`;

/** What most paths have in common is quieter. Lines may break after slashes. */
function pathHtml(path: string): string {
  const [common = ""] = /^(\/orgs\/\{orgId\}|\/api\/v1\/public)?/.exec(path) ?? [];
  const own = path.slice(common.length).replaceAll("/", "/<wbr>");
  return common === "" ? own.replace("<wbr>", "") : `<span>${common}</span>${own}`;
}

const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
const withCode = (text: string) => escaped(text).replace(/`([^`]+)`/g, "<code>$1</code>");

const signInDialog = `<dialog id="account-dialog" aria-labelledby="account-heading">
<div class="row"><h2 id="account-heading" tabindex="-1">Sign in</h2><button id="account-close" class="quiet" type="button">Close</button></div>
<p id="account-state" role="status"></p>
<form id="password-form" novalidate>
<label>E-mail address <input name="email" type="email" autocomplete="username" required></label>
<label>Password <input name="password" type="password" autocomplete="current-password" required></label>
<label class="switch"><input name="show" type="checkbox"> Show the password</label>
<button type="submit">Sign in</button>
</form>
<form id="code-form" novalidate hidden>
<label>Code <input name="code" autocomplete="one-time-code" spellcheck="false" required></label>
<p class="hint">The six digits that your authenticator app shows, or one of your recovery codes.</p>
<div class="row"><button type="submit">Sign in</button><button id="code-back" class="quiet" type="button">Back</button></div>
</form>
<div id="signed-in" hidden>
<label id="organization-choice"><span>Organization, for <code>orgId</code></span> <select id="organization"></select></label>
<button id="sign-out" type="button">Sign out</button>
</div>
<p id="account-problem" class="problem" role="alert"></p>
<details id="key-part"><summary>API key, for the public API</summary>
<form id="key-form" novalidate>
<label>API key <input name="key" type="password" autocomplete="off" spellcheck="false" required></label>
<label>Organization ID <input name="org" autocomplete="off" spellcheck="false" required></label>
<div class="row"><button type="submit">Use the key</button><button id="key-forget" class="quiet" type="button" hidden>Forget the key</button></div>
</form>
<p id="key-state" role="status"></p>
</details>
<p class="hint">Tokens and keys stay in the memory of this tab. Leaving or reloading the page signs you out.</p>
</dialog>`;
