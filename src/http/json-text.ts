/**
 * Passes JSON that is already text (built by SQLite, or kept encoded) through as it is. The route still declares its
 * `response` schema: Elysia leaves a `Response` alone, and tests hold the text to the document.
 */
export const jsonText = (text: string): Response => new Response(text, { headers: JSON_HEADERS });

const JSON_HEADERS = { "content-type": "application/json;charset=utf-8" };
