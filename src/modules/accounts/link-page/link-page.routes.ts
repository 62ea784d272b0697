import { Elysia } from "elysia";
import { preferredLanguage } from "../../../core/languages.ts";
import type { Http } from "../../../http/http.ts";
import { AnyQuery } from "../../../http/query.ts";
import { responses, textResponse } from "../../../http/responses.ts";
import { linkPagePolicy, linkPages } from "./link-page.ts";

/** `/auth/link` */
export const linkPageRoutes = ({ withoutData }: Http) =>
  new Elysia({ name: "accounts.link-page", tags: ["Authentication"] }).use(withoutData).get(
    "/auth/link",
    ({ request: { headers } }) =>
      new Response(linkPages[preferredLanguage(headers.get("accept-language"))], {
        headers: {
          "content-type": "text/html;charset=utf-8",
          "content-security-policy": linkPagePolicy,
          vary: "accept-language",
        },
      }),
    {
      query: AnyQuery,
      response: responses({ 200: textResponse("text/html") }),
      detail: {
        summary: "Get the page of mailed links",
        description:
          "The page reads the action and the token from the fragment of its address (`#reset=…`, `#verify=…`, `#invite=…`, `#student=…`), which is not sent to the server, and asks for a password. It is in the language of the browser.",
      },
    },
  );
