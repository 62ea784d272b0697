import { EncodedText } from "./json-text.ts";

/** A text answer, with its type named: a bare string would leave it to the browser to guess. */
export const plainText = (text: string): Response => new EncodedText(text, "text/plain;charset=utf-8");
