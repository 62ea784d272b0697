import { EncodedText } from "./json-text.ts";

/** Returns a text response with its content type. A browser would guess the type of a plain string. */
export const plainText = (text: string): Response => new EncodedText(text, "text/plain;charset=utf-8");
